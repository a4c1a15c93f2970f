import { exp, expm1 } from "./exp.ts";

/** The hyperbolic tangent. Error below 2 ulp. */
export function tanh(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < 22)) return x === x ? Math.sign(x) : x;
  const e = expm1(2 * magnitude);
  const value = magnitude > 0.55 ? 1 - 2 / (e + 2) : ratio(e);
  return x < 0 ? -value : value === 0 ? x : value;
}

/** `e / (e + 2)`, with what the rounded sum lost put back. */
function ratio(e: number): number {
  const sum = e + 2;
  const lost = 2 - sum + e;
  const quotient = e / sum;
  return quotient - quotient * (lost / sum);
}

/** The logistic function 1 / (1 + e^-x). Error below 3 ulp. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const e = exp(x);
  return e / (1 + e);
}
