import { elementwiseText } from "./elementwise-text.ts";
import { kernelFamily } from "./family.ts";

/** What only floats have: division, scaling by a double, activations and their gradients. */
export const activationKernels = kernelFamily({
  name: "activation",
  parameters: ["T"],
  kernels: [
    ...["div", "relu_backward", "gelu_backward", "silu_backward"].flatMap((name) => [
      name,
      `${name}_strided`,
    ]),
    "relu",
    "gelu",
    "silu",
    "scale",
  ],
  code: `${elementwiseText}
// 0 for Inf times 0: the share vanishes faster than x grows.
static __device__ __forceinline__ Math times_share(Math x, Math share) {
  return share == 0 ? (x < 0 ? -(Math)0 : (Math)0) : x * share;
}
static __device__ __forceinline__ Math normal_share(Math x) { return (Math)0.5 * erfc(-x * (Math)0.70710678118654752440); }
static __device__ __forceinline__ Math sigmoid(Math x) {
  const Math e = exp(x < 0 ? x : -x);
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}
static __device__ __forceinline__ Math gelu_slope(Math x) {
  const Math density = exp((Math)-0.5 * x * x) * (Math)0.39894228040143267794;
  return normal_share(x) + times_share(x, density);
}
static __device__ __forceinline__ Math silu_slope(Math x) {
  const Math share = sigmoid(x);
  return share + times_share(x, share * sigmoid(-x));
}

BINARY(div, x / y)
BINARY(relu_backward, y != y ? y : y > 0 ? x : (Math)0)
BINARY(gelu_backward, x * gelu_slope(y))
BINARY(silu_backward, x * silu_slope(y))
UNARY(relu, x > 0 || x != x ? x : (Math)0)
UNARY(gelu, times_share(x, normal_share(x)))
UNARY(silu, times_share(x, sigmoid(x)))

// The factor is a double, as on the host, and so is the product.
extern "C" __global__ void scale(const T* x, T* out, i64 count, double factor) {
  const i64 packs = count / per_quad;
  for (i64 at = first_index(); at < packs; at += index_stride()) {
    Pack<T> pack;
    pack.quad = ((const Quad*)x)[at];
#pragma unroll
    for (int item = 0; item < per_quad; item++) {
      pack.items[item] = Format<T>::round(times((double)Format<T>::read(pack.items[item]), factor), false);
    }
    ((Quad*)out)[at] = pack.quad;
  }
  for (i64 at = packs * per_quad + first_index(); at < count; at += index_stride()) {
    out[at] = Format<T>::round(times((double)Format<T>::read(x[at]), factor), false);
  }
}
`,
});
