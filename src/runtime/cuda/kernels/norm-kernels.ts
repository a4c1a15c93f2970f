import { blockText } from "./block-text.ts";
import { kernelFamily } from "./family.ts";

/**
 * Layer norm and RMS norm (`centred` 1 and 0) and their gradients, a block to a row. The backward
 * pass also leaves mean and inverse root of each row, from which `norm_gain_terms` sums the
 * gradients of gain and bias over a stretch of rows, column by column.
 */
export const normKernels = kernelFamily({
  name: "norm",
  parameters: ["T"],
  kernels: ["norm_forward", "norm_backward", "norm_gain_terms"],
  code: `${blockText}
struct Stats { Math mean; Math inverse_root; };

static __device__ __forceinline__ Stats stats_of(const T* row, i64 columns, int centred, double epsilon) {
  Stats out;
  Math total = 0;
  if (centred) {
    each(row, columns, [&](i64, Math value) { total += value; });
    total = block_total(total);
  }
  out.mean = total / (Math)columns;
  Math squares = 0;
  each(row, columns, [&](i64, Math value) { squares += (value - out.mean) * (value - out.mean); });
  squares = block_total(squares);
  out.inverse_root = 1 / sqrt(squares / (Math)columns + (Math)epsilon);
  return out;
}

extern "C" __global__ void norm_forward(const T* x, const T* gain, const T* bias, T* out, i64 columns, int centred, double epsilon) {
  const i64 start = (i64)blockIdx.x * columns;
  const Stats of = stats_of(x + start, columns, centred, epsilon);
  if (bias) {
    map_row(x + start, out + start, columns, [&](i64 at, Math value) {
      return (value - of.mean) * of.inverse_root * Format<T>::read(gain[at]) + Format<T>::read(bias[at]);
    });
  } else {
    map_row(x + start, out + start, columns, [&](i64 at, Math value) {
      return (value - of.mean) * of.inverse_root * Format<T>::read(gain[at]);
    });
  }
}

extern "C" __global__ void norm_backward(
    const T* gradient, const T* x, const T* gain, T* out, double* stats, i64 columns, int centred, double epsilon) {
  const i64 start = (i64)blockIdx.x * columns;
  const Stats of = stats_of(x + start, columns, centred, epsilon);
  Math total = 0, dot = 0;
  each_pair(gradient + start, x + start, columns, [&](i64 at, Math g, Math value) {
    const Math h = g * Format<T>::read(gain[at]);
    total += h;
    dot += h * (value - of.mean) * of.inverse_root;
  });
  total = block_total(total);
  dot = block_total(dot);
  const Math mean = centred ? total / (Math)columns : (Math)0;
  const Math along = dot / (Math)columns;
  map_pair(gradient + start, x + start, out + start, columns, [&](i64 at, Math g, Math value) {
    return of.inverse_root * (g * Format<T>::read(gain[at]) - mean - (value - of.mean) * of.inverse_root * along);
  });
  if (threadIdx.x == 0) {
    stats[2 * blockIdx.x] = (double)of.mean;
    stats[2 * blockIdx.x + 1] = (double)of.inverse_root;
  }
}

// Blocks of 32 columns by 8 rows; block y sums rows_per_block rows into row y of both partial sums.
extern "C" __global__ void norm_gain_terms(
    const T* gradient, const T* x, const double* stats, i64 rows, i64 columns, i64 rows_per_block,
    double* gain_sums, double* bias_sums) {
  __shared__ double gains[8][33];
  __shared__ double biases[8][33];
  const i64 column = (i64)blockIdx.x * 32 + threadIdx.x;
  const i64 first = (i64)blockIdx.y * rows_per_block;
  const i64 last = first + rows_per_block < rows ? first + rows_per_block : rows;
  double gain = 0, bias = 0;
  if (column < columns) {
    for (i64 row = first + threadIdx.y; row < last; row += 8) {
      const double g = (double)Format<T>::read(gradient[row * columns + column]);
      const double value = (double)Format<T>::read(x[row * columns + column]);
      gain += g * ((value - stats[2 * row]) * stats[2 * row + 1]);
      bias += g;
    }
  }
  gains[threadIdx.y][threadIdx.x] = gain;
  biases[threadIdx.y][threadIdx.x] = bias;
  __syncthreads();
  if (threadIdx.y == 0 && column < columns) {
    for (int y = 1; y < 8; y++) {
      gain += gains[y][threadIdx.x];
      bias += biases[y][threadIdx.x];
    }
    gain_sums[(i64)blockIdx.y * columns + column] = gain;
    bias_sums[(i64)blockIdx.y * columns + column] = bias;
  }
}
`,
});
