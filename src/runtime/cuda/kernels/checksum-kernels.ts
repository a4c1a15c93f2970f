import { kernelFamily } from "./family.ts";
import { hashText } from "./hash-text.ts";

/**
 * Checks of a product c = a b, row by row: the sum of c[i, j] r[j], r of signs, against the kept (a (b r))[i],
 * and a hash of the row's bits against that of the first product. One warp reads a row with eight
 * times sixteen bytes in flight per thread. Rows are multiples of sixteen bytes. `found` counts: wrong rows, wrong products, the
 * last wrong check plus one, and the first as check * 2^24 + row.
 */
export const checksumKernels = kernelFamily({
  name: "checksum",
  parameters: ["T"],
  kernels: ["row_sums", "row_dots", "check_learn", "check_rows"],
  code: `${hashText}
#define IN_FLIGHT 8
typedef Format<T>::Math Sum;
const int per_quad = 16 / sizeof(T);

struct RowResult { double sum; double squares; u64 hash; };

// Bit j is set where column j counts negative. Sixteen bytes of a row never straddle a word of these.
static __device__ __forceinline__ unsigned signs_of(const unsigned* signs, i64 column) {
  return signs[column >> 5] >> (column & 31);
}

template <bool SQUARES> static __device__ __forceinline__ void take(
    Quad quad, unsigned signs, i64 at, Sum& sum, double& squares, u64& hash) {
  Pack<T> values;
  values.quad = quad;
  Sum of_quad = 0;
#pragma unroll
  for (int item = 0; item < per_quad; item++) {
    const Sum value = Format<T>::read(values.items[item]);
    of_quad += signs >> item & 1 ? -value : value;
    if (SQUARES) squares += (double)value * (double)value;
  }
  sum += of_quad;
  hash += hash_quad(quad, (u64)(2 * at + 1) * HASH_STEP);
}

// A row by one warp; the result is in its first thread.
template <bool SQUARES> static __device__ __forceinline__ RowResult walk_row(const T* row, const unsigned* signs, i64 columns) {
  const Quad* quads = (const Quad*)row;
  const i64 count = columns / per_quad;
  const int lane = threadIdx.x % 32;
  Sum sum = 0;
  double squares = 0;
  u64 hash = 0;
  i64 at = lane;
  for (; at + 32 * (IN_FLIGHT - 1) < count; at += 32 * IN_FLIGHT) {
    Quad held[IN_FLIGHT];
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) held[i] = read_once(quads + at + 32 * i);
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) {
      const i64 place = at + 32 * i;
      take<SQUARES>(held[i], signs_of(signs, place * per_quad), place, sum, squares, hash);
    }
  }
  for (; at < count; at += 32) take<SQUARES>(quads[at], signs_of(signs, at * per_quad), at, sum, squares, hash);
  RowResult out;
  out.sum = (double)sum;
  out.squares = squares;
  out.hash = hash;
  for (int offset = 16; offset > 0; offset /= 2) {
    out.sum += __shfl_down_sync(0xffffffffu, out.sum, offset);
    if (SQUARES) out.squares += __shfl_down_sync(0xffffffffu, out.squares, offset);
    out.hash += __shfl_down_sync(0xffffffffu, out.hash, offset);
  }
  return out;
}

#define FOR_ROWS(ROW, ROWS)                                                        \\
  const i64 warps = (i64)gridDim.x * (blockDim.x / 32);                            \\
  for (i64 ROW = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; ROW < ROWS; ROW += warps)

static __device__ __forceinline__ void note_wrong(u64* found, u64 check, i64 row) {
  atomicAdd(found, 1ull);
  if (atomicMax(found + 2, check + 1) < check + 1) atomicAdd(found + 1, 1ull);
  atomicMin(found + 3, (check << 24) | (u64)row);
}

// out[i] = the signed sum of x[i, j], in double.
extern "C" __global__ void row_sums(const T* x, const unsigned* signs, i64 rows, i64 columns, double* out) {
  FOR_ROWS(row, rows) {
    double sum = 0;
    for (i64 at = threadIdx.x % 32; at < columns; at += 32) {
      const double value = (double)Format<T>::read(x[row * columns + at]);
      sum += signs_of(signs, at) & 1 ? -value : value;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) out[row] = sum;
  }
}

extern "C" __global__ void row_dots(const T* x, const double* weights, i64 rows, i64 columns, double factor, double* out) {
  FOR_ROWS(row, rows) {
    double sum = 0;
    for (i64 at = threadIdx.x % 32; at < columns; at += 32) sum += (double)Format<T>::read(x[row * columns + at]) * weights[at];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) out[row] = factor * sum;
  }
}

extern "C" __global__ void __launch_bounds__(256) check_learn(
    const T* c, const unsigned* signs, const double* expected, i64 rows, i64 columns,
    double relative, double* tolerances, u64* hashes, u64* found) {
  FOR_ROWS(row, rows) {
    const RowResult result = walk_row<true>(c + row * columns, signs, columns);
    if (threadIdx.x % 32 == 0) {
      const double tolerance = relative * sqrt(result.squares);
      tolerances[row] = tolerance;
      hashes[row] = result.hash;
      const double off = result.sum - expected[row];
      // Written so that NaN is wrong.
      if (!((off < 0 ? -off : off) <= tolerance)) note_wrong(found, 0, row);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) check_rows(
    const T* c, const unsigned* signs, const double* expected, const double* tolerances, const u64* hashes,
    i64 rows, i64 columns, u64 check, u64* found) {
  FOR_ROWS(row, rows) {
    const RowResult result = walk_row<false>(c + row * columns, signs, columns);
    if (threadIdx.x % 32 == 0) {
      const double off = result.sum - expected[row];
      const bool right = (off < 0 ? -off : off) <= tolerances[row] && result.hash == hashes[row];
      if (!right) note_wrong(found, check, row);
    }
  }
}
`,
});
