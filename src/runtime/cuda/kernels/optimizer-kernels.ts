import { kernelFamily } from "./family.ts";

/**
 * Steps of AdamW and of gradient descent with momentum, in double without fused steps, so that they
 * have the bits of the host: values T, gradients G, moments M.
 */
export const optimizerKernels = kernelFamily({
  name: "optimizer",
  parameters: ["T", "G", "M"],
  kernels: ["adamw_step", "sgd_step"],
  code: `
extern "C" __global__ void adamw_step(
    T* values_out, M* mean_out, M* square_out, const T* values, const M* mean, const M* square, const G* gradient, i64 count,
    double beta1, double beta2, double mean_scale, double square_scale, double rate, double epsilon, double decay) {
  for (i64 at = first_index(); at < count; at += index_stride()) {
    const double g = (double)Format<G>::read(gradient[at]);
    const double m = plus(times(beta1, (double)Format<M>::read(mean[at])), times(plus(1.0, -beta1), g));
    const double s = plus(times(beta2, (double)Format<M>::read(square[at])), times(plus(1.0, -beta2), times(g, g)));
    const double p = (double)Format<T>::read(values[at]);
    const double direction = m / mean_scale / plus(sqrt(s / square_scale), epsilon);
    mean_out[at] = Format<M>::round(m, false);
    square_out[at] = Format<M>::round(s, false);
    values_out[at] = Format<T>::round(plus(p, -times(rate, plus(direction, times(decay, p)))), false);
  }
}

extern "C" __global__ void sgd_step(
    T* values_out, M* velocity_out, const T* values, const M* velocity, const G* gradient, i64 count,
    double rate, double momentum, double decay) {
  for (i64 at = first_index(); at < count; at += index_stride()) {
    const double p = (double)Format<T>::read(values[at]);
    const double g = (double)Format<G>::read(gradient[at]);
    const double before = velocity ? (double)Format<M>::read(velocity[at]) : 0.0;
    const double speed = plus(times(momentum, before), plus(g, times(decay, p)));
    if (velocity_out) velocity_out[at] = Format<M>::round(speed, false);
    values_out[at] = Format<T>::round(plus(p, -times(rate, speed)), false);
  }
}
`,
});
