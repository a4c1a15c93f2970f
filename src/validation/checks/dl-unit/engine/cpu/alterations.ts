import { type DType, ops, type Tensor } from "../../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine.ts";
import { hostActivations } from "./host-activations.ts";

/** The kernels of which a rehearsal may have altered ones. */
type Kernels = Pick<DlEngine<Tensor>, "matmul" | "norm" | "activation">;

/** As they are. */
export const noAlterations: Kernels = {
  matmul: (a, b, { dtype, transposeA = false, transposeB = false } = {}) =>
    multiply(transposeA ? a.transpose() : a, transposeB ? b.transpose() : b, dtype),
  norm: (kind, x, gain) => (kind === "layer" ? ops.layerNorm : ops.rmsNorm)(x, { gain }),
  activation: (kind, x) => hostActivations[kind].forward(x),
};

/**
 * As a wrong build would have them: products without the last term of each sum, norms with another
 * epsilon, activations of what is next to their input.
 */
export const alterations: Kernels = {
  matmul: (a, b, { dtype, transposeA = false, transposeB = false } = {}) => {
    const left = transposeA ? a.transpose() : a;
    const right = transposeB ? b.transpose() : b;
    const inner = right.shape.at(-2) ?? 1;
    const all = left.shape.map(() => null);
    const cut = { start: 0, stop: Math.max(1, inner - 1) };
    const rows = right.shape.map(() => null).slice(0, -2);
    return multiply(left.slice([...all.slice(0, -1), cut]), right.slice([...rows, cut]), dtype);
  },
  norm: (kind, x, gain) =>
    (kind === "layer" ? ops.layerNorm : ops.rmsNorm)(x, { gain, epsilon: 0.1 }),
  activation: (kind, x) => hostActivations[kind].forward(ops.scale(x, 1.0625)),
};

/** Factors of two formats are multiplied as f32, which has every value of both. */
function multiply(a: Tensor, b: Tensor, dtype: DType | undefined): Tensor {
  const isMixed = a.dtype !== b.dtype;
  const [left, right] = isMixed ? [a.to("f32"), b.to("f32")] : [a, b];
  return ops.matmul(left, right, dtype === undefined ? {} : { dtype });
}
