import { erfc, exp, sigmoid } from "../math/index.ts";
import type { Tensor } from "../tensor.ts";
import { mapElements, zipElements } from "./elementwise.ts";
import { requireFloat } from "./operands.ts";

/** x where it is above 0, else +0; NaN stays. Exact. Throws E_DTYPE for integers. */
export function relu(x: Tensor): Tensor {
  requireFloat("relu", x);
  return mapElements(x, (value) => (value > 0 || value !== value ? value : 0));
}

/** The gradient of `relu` at x: g where x is above 0, NaN where x is, else +0. Exact. */
export function reluBackward(gradient: Tensor, x: Tensor): Tensor {
  return zipElements("reluBackward", [gradient, x], (g, value) => {
    if (value !== value) return value;
    return value > 0 ? g : 0;
  });
}

/**
 * x times the normal distribution function of x (the form with erf, not the one with tanh), in f64
 * with one rounding. -Inf gives -0. Throws E_DTYPE for integers.
 */
export function gelu(x: Tensor): Tensor {
  requireFloat("gelu", x);
  return mapElements(x, (value) => timesShare(value, normalShare(value)));
}

/** The gradient of `gelu` at x: g times (share + x density), in f64 with one rounding. */
export function geluBackward(gradient: Tensor, x: Tensor): Tensor {
  return zipElements("geluBackward", [gradient, x], (g, value) => {
    const density = exp(-0.5 * value * value) * inverseRootTwoPi;
    return g * (normalShare(value) + timesShare(value, density));
  });
}

/** x times the logistic function of x, in f64 with one rounding. -Inf gives -0. E_DTYPE for integers. */
export function silu(x: Tensor): Tensor {
  requireFloat("silu", x);
  return mapElements(x, (value) => timesShare(value, sigmoid(value)));
}

/** The gradient of `silu` at x: g s (1 + x (1 - s)), in f64 with one rounding. */
export function siluBackward(gradient: Tensor, x: Tensor): Tensor {
  return zipElements("siluBackward", [gradient, x], (g, value) => {
    const share = sigmoid(value);
    return g * (share + timesShare(value, share * sigmoid(-value)));
  });
}

const inverseRootTwo = Math.SQRT1_2;
const inverseRootTwoPi = 0.3989422804014327;

/** How much of a normal distribution lies below. From erfc, which keeps its digits far out. */
function normalShare(value: number): number {
  return 0.5 * erfc(-value * inverseRootTwo);
}

/** The product, with 0 for Inf times 0: the share vanishes faster than x grows. */
function timesShare(value: number, share: number): number {
  return share === 0 ? (value < 0 ? -0 : 0) : value * share;
}
