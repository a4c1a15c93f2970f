import { blockText } from "./block-text.ts";
import { kernelFamily } from "./family.ts";

/**
 * Softmax, its logarithm, their gradients, and cross entropy, a block to a row. Sums are in the
 * computing type. A row with NaN or +Inf, or with nothing but -Inf, is NaN throughout.
 */
export const softmaxKernels = kernelFamily({
  name: "softmax",
  parameters: ["T"],
  kernels: [
    "softmax",
    "softmax_backward",
    "log_softmax",
    "log_softmax_backward",
    "cross_entropy",
    "cross_entropy_backward",
  ],
  code: `${blockText}
struct MaxSum { Math max; Math sum; };

static __device__ __forceinline__ MaxSum max_and_sum(const T* row, i64 columns) {
  // Below every number; NaN shows in the sum.
  const Math lowest = -(Math)1 / (Math)0;
  MaxSum out;
  Math highest = lowest;
  each(row, columns, [&](i64, Math value) { highest = value > highest ? value : highest; });
  out.max = reduce_block<MaxOf, Math>(highest, lowest);
  Math sum = 0;
  each(row, columns, [&](i64, Math value) { sum += exp(value - out.max); });
  out.sum = block_total(sum);
  return out;
}

extern "C" __global__ void softmax(const T* x, T* out, i64 columns) {
  const i64 start = (i64)blockIdx.x * columns;
  const MaxSum of = max_and_sum(x + start, columns);
  const Math share = 1 / of.sum;
  map_row(x + start, out + start, columns, [&](i64, Math value) { return exp(value - of.max) * share; });
}

extern "C" __global__ void log_softmax(const T* x, T* out, i64 columns) {
  const i64 start = (i64)blockIdx.x * columns;
  const MaxSum of = max_and_sum(x + start, columns);
  const Math log_sum = log(of.sum);
  map_row(x + start, out + start, columns, [&](i64, Math value) { return value - of.max - log_sum; });
}

extern "C" __global__ void softmax_backward(const T* gradient, const T* y, T* out, i64 columns) {
  const i64 start = (i64)blockIdx.x * columns;
  Math dot = 0;
  each_pair(gradient + start, y + start, columns, [&](i64, Math g, Math share) { dot += g * share; });
  dot = block_total(dot);
  map_pair(gradient + start, y + start, out + start, columns, [&](i64, Math g, Math share) { return share * (g - dot); });
}

extern "C" __global__ void log_softmax_backward(const T* gradient, const T* y, T* out, i64 columns) {
  const i64 start = (i64)blockIdx.x * columns;
  Math total = 0;
  each(gradient + start, columns, [&](i64, Math g) { total += g; });
  total = block_total(total);
  map_pair(gradient + start, y + start, out + start, columns, [&](i64, Math g, Math value) { return g - exp(value) * total; });
}

extern "C" __global__ void cross_entropy(const T* logits, const int* targets, double* losses, i64 columns) {
  const i64 start = (i64)blockIdx.x * columns;
  const MaxSum of = max_and_sum(logits + start, columns);
  if (threadIdx.x == 0) {
    const Math chosen = Format<T>::read(logits[start + targets[blockIdx.x]]);
    losses[blockIdx.x] = Format<double>::write((double)log(of.sum) - ((double)chosen - (double)of.max));
  }
}

extern "C" __global__ void cross_entropy_backward(const T* logits, const int* targets, T* out, i64 columns, double normalizer) {
  const i64 start = (i64)blockIdx.x * columns;
  const MaxSum of = max_and_sum(logits + start, columns);
  const Math share = 1 / of.sum;
  const Math factor = (Math)(1 / normalizer);
  const i64 target = targets[blockIdx.x];
  map_row(logits + start, out + start, columns, [&](i64 at, Math value) {
    return (exp(value - of.max) * share - (at == target ? (Math)1 : (Math)0)) * factor;
  });
}
`,
});
