import { kernelFamily } from "./family.ts";

/**
 * Reductions in double in an order that depends on the shape alone. Kind 0 is the sum, 1 the
 * largest (NaN wins, +0 over -0), 2 the smallest. `reduce_rows` leaves one value for each row and
 * stretch of columns, `reduce_columns` one for each stretch of rows and column; `finish_rows` and
 * `finish_columns` bring those together, divided by `divisor`.
 */
export const reduceKernels = kernelFamily({
  name: "reduce",
  parameters: ["T"],
  kernels: ["reduce_rows", "reduce_columns", "finish_rows", "finish_columns"],
  code: `
static __device__ __forceinline__ double start_of(int kind) {
  return kind == 0 ? 0.0 : bits_to_double(kind == 1 ? 0xfff0000000000000ull : 0x7ff0000000000000ull);
}

static __device__ __forceinline__ double joined(int kind, double a, double b) {
  if (kind == 0) return a + b;
  if (a != a) return a;
  if (b != b) return b;
  if (a == b) {
    const bool negative = double_to_bits(a) >> 63;
    return negative == (kind == 1) ? b : a;
  }
  return (a > b) == (kind == 1) ? a : b;
}

static __device__ double joined_block(int kind, double value) {
  __shared__ double values[32];
  for (int offset = 16; offset > 0; offset /= 2) value = joined(kind, value, __shfl_down_sync(0xffffffffu, value, offset));
  if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) for (int warp = 1; warp < (int)blockDim.x / 32; warp++) value = joined(kind, value, values[warp]);
  return value;
}

// Block x takes a stretch of columns of row y (+ 65535 z).
extern "C" __global__ void reduce_rows(const T* x, i64 rows, i64 columns, i64 columns_per_block, int kind, double* out) {
  const i64 row = (i64)blockIdx.z * gridDim.y + blockIdx.y;
  if (row >= rows) return;
  const i64 first = (i64)blockIdx.x * columns_per_block;
  const i64 last = first + columns_per_block < columns ? first + columns_per_block : columns;
  const T* from = x + row * columns;
  double value = start_of(kind);
  const int per_quad = 16 / sizeof(T);
  if (columns % per_quad == 0 && columns_per_block % per_quad == 0) {
    for (i64 quad = first / per_quad + threadIdx.x; quad < last / per_quad; quad += blockDim.x) {
      Pack<T> pack;
      pack.quad = read_once((const Quad*)from + quad);
#pragma unroll
      for (int item = 0; item < per_quad; item++) value = joined(kind, value, (double)Format<T>::read(pack.items[item]));
    }
  } else {
    for (i64 at = first + threadIdx.x; at < last; at += blockDim.x) value = joined(kind, value, (double)Format<T>::read(from[at]));
  }
  value = joined_block(kind, value);
  if (threadIdx.x == 0) out[row * gridDim.x + blockIdx.x] = value;
}

// Blocks of 32 columns by 8 rows; block y takes a stretch of rows.
extern "C" __global__ void reduce_columns(const T* x, i64 rows, i64 columns, i64 rows_per_block, int kind, double* out) {
  __shared__ double values[8][33];
  const i64 column = (i64)blockIdx.x * 32 + threadIdx.x;
  const i64 first = (i64)blockIdx.y * rows_per_block;
  const i64 last = first + rows_per_block < rows ? first + rows_per_block : rows;
  double value = start_of(kind);
  if (column < columns) {
    for (i64 row = first + threadIdx.y; row < last; row += 8) {
      value = joined(kind, value, (double)Format<T>::read(x[row * columns + column]));
    }
  }
  values[threadIdx.y][threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.y == 0 && column < columns) {
    for (int y = 1; y < 8; y++) value = joined(kind, value, values[y][threadIdx.x]);
    out[(i64)blockIdx.y * columns + column] = value;
  }
}

extern "C" __global__ void finish_rows(const double* parts, i64 rows, i64 count, int kind, double divisor, T* out) {
  for (i64 row = first_index(); row < rows; row += index_stride()) {
    double value = start_of(kind);
    for (i64 at = 0; at < count; at++) value = joined(kind, value, parts[row * count + at]);
    out[row] = Format<T>::round(kind == 0 ? value / divisor : value, false);
  }
}

extern "C" __global__ void finish_columns(const double* parts, i64 count, i64 columns, int kind, double divisor, T* out) {
  for (i64 column = first_index(); column < columns; column += index_stride()) {
    double value = start_of(kind);
    for (i64 at = 0; at < count; at++) value = joined(kind, value, parts[at * columns + column]);
    out[column] = Format<T>::round(kind == 0 ? value / divisor : value, false);
  }
}
`,
});
