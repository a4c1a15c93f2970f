import assert from "node:assert/strict";
import { exp, log } from "../../../runtime/tensor/math/index.ts";

const termsMax = 10_000;
const precision = 1e-15;
const tiny = 1e-300;

/** The regularised incomplete beta function: the chance that a beta variable is at most `x`. */
export function betaShare(x: number, a: number, b: number): number {
  assert(a > 0 && b > 0, "a beta variable has two positive parameters");
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction is quick on this side of the middle only.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front = exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x) - log(a),
  );
  return front * fraction(x, a, b);
}

/** Lentz's way through the continued fraction. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m <= termsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    product *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    product *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return product;
}

function away(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];
const halfLogTwoPi = 0.9189385332046727;

/** Lanczos' sum, for arguments of at least a half. */
function logGamma(value: number): number {
  assert(value >= 0.5, "not needed below a half");
  const x = value - 1;
  let sum = 0.9999999999998099;
  for (const [index, weight] of lanczos.entries()) sum += weight / (x + index + 1);
  const t = x + 7.5;
  return halfLogTwoPi + (x + 0.5) * log(t) - t + log(sum);
}
