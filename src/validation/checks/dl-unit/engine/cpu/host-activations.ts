import { ops, type Tensor } from "../../../../../runtime/tensor/index.ts";
import type { ActivationKind } from "../engine.ts";

/** The activations on the host: in f64, rounded once. */
export const hostActivations: Readonly<
  Record<
    ActivationKind,
    {
      forward(x: Tensor): Tensor;
      backward(gradient: Tensor, x: Tensor): Tensor;
    }
  >
> = {
  gelu: { forward: ops.gelu, backward: ops.geluBackward },
  silu: { forward: ops.silu, backward: ops.siluBackward },
  relu: { forward: ops.relu, backward: ops.reluBackward },
};
