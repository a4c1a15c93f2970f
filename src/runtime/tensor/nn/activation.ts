import { gelu, geluBackward, relu, reluBackward, silu, siluBackward } from "../ops/index.ts";
import type { Tensor } from "../tensor.ts";

/** The functions between two affine maps. */
export type Activation = "relu" | "gelu" | "silu";

/** Forward at x, and backward from the gradient and x. */
export const activations: Readonly<
  Record<
    Activation,
    { readonly forward: (x: Tensor) => Tensor; readonly backward: (g: Tensor, x: Tensor) => Tensor }
  >
> = {
  relu: { forward: relu, backward: reluBackward },
  gelu: { forward: gelu, backward: geluBackward },
  silu: { forward: silu, backward: siluBackward },
};
