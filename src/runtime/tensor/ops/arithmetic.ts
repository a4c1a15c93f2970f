import type { Tensor } from "../tensor.ts";
import { sumToShape } from "./broadcast.ts";
import { mapElements, zipElements } from "./elementwise.ts";
import { dtypeError, requireFloat } from "./operands.ts";

/**
 * The gradients of both operands of an operation on two tensors.
 */
export interface PairGradients {
  readonly a: Tensor;
  readonly b: Tensor;
}

/**
 * a + b, each result rounded once to the dtype. Dimensions of length 1 repeat. Inf and NaN as in
 * IEEE 754. Integers stop at the ends of their range. Throws E_DTYPE when the dtypes differ, E_SHAPE
 * when the shapes do not go together.
 */
export function add(a: Tensor, b: Tensor): Tensor {
  return zipElements("add", [a, b], (x, y) => x + y);
}

/** a - b; as `add`. */
export function sub(a: Tensor, b: Tensor): Tensor {
  return zipElements("sub", [a, b], (x, y) => x - y);
}

/** a * b, element by element; as `add`. */
export function mul(a: Tensor, b: Tensor): Tensor {
  return zipElements("mul", [a, b], (x, y) => x * y);
}

/** a / b, element by element, of floats; as `add`. x / 0 is Inf or NaN. Throws E_DTYPE for integers. */
export function div(a: Tensor, b: Tensor): Tensor {
  requireFloat("div", a);
  return zipElements("div", [a, b], (x, y) => x / y);
}

/** -x. Exact: only the sign changes, of zero too (0 of integers has none). E_DTYPE for u8. */
export function neg(x: Tensor): Tensor {
  if (x.dtype === "u8") throw dtypeError("neg", "u8 has no negative values");
  return mapElements(x, (value) => -value);
}

/** x times a number, rounded once. The factor is used as the double it is. Throws E_DTYPE for integers. */
export function scale(x: Tensor, factor: number): Tensor {
  requireFloat("scale", x);
  return mapElements(x, (value) => value * factor);
}

/** The gradients of `add`: the incoming one, summed where an operand was repeated (see `sum`). */
export function addBackward(gradient: Tensor, a: Tensor, b: Tensor): PairGradients {
  return { a: sumToShape(gradient, a.shape), b: sumToShape(gradient, b.shape) };
}

/** The gradients of `sub`; as `addBackward`. */
export function subBackward(gradient: Tensor, a: Tensor, b: Tensor): PairGradients {
  return { a: sumToShape(gradient, a.shape), b: neg(sumToShape(gradient, b.shape)) };
}

/** The gradients of `mul`: products rounded to the dtype, then summed as in `addBackward`. */
export function mulBackward(gradient: Tensor, a: Tensor, b: Tensor): PairGradients {
  return {
    a: sumToShape(mul(gradient, b), a.shape),
    b: sumToShape(mul(gradient, a), b.shape),
  };
}

/** The gradients of `div`: g / b and -(g a) / (b b), each rounded once, then summed. */
export function divBackward(gradient: Tensor, a: Tensor, b: Tensor): PairGradients {
  const quotient = div(a, b);
  return {
    a: sumToShape(div(gradient, b), a.shape),
    b: sumToShape(neg(div(mul(gradient, quotient), b)), b.shape),
  };
}
