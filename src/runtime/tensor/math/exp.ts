import { ln2High, ln2Low } from "./ln2.ts";
import { scaleByPowerOfTwo } from "./power-of-two.ts";

// Adding and taking away this rounds to a whole number.
const roundingShift = 1.5 * 2 ** 52;

const overflowsFrom = 709.782712893384;
const vanishesBelow = -745.1332191019412;

/** e^x. Error below 1 ulp. */
export function exp(x: number): number {
  if (x !== x) return x;
  if (x > overflowsFrom) return Number.POSITIVE_INFINITY;
  if (x < vanishesBelow) return 0;
  const k = x * Math.LOG2E + roundingShift - roundingShift;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  const lost = high - r - low;
  return scaleByPowerOfTwo(1 + (r + (lost + curve(r))), k);
}

/** e^x - 1, without the cancellation near 0. Error below 1.5 ulp. */
export function expm1(x: number): number {
  if (x !== x || x === 0) return x;
  if (x > overflowsFrom) return Number.POSITIVE_INFINITY;
  if (x < -40) return -1;
  const k = x * Math.LOG2E + roundingShift - roundingShift;
  if (k === 0) return x + curve(x);
  if (k > 56) return exp(x) - 1;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  const lost = high - r - low;
  // 2^k (1 + e) - 1 = 2^k ((1 - 2^-k) + e), where the first part is exact up to k = 53.
  const whole = 1 - scaleByPowerOfTwo(1, -k);
  const sum = whole + r;
  const sumLost = whole - sum + r;
  return scaleByPowerOfTwo(1, k) * (sum + (sumLost + (lost + curve(r))));
}

/** e^r - 1 - r for |r| <= ln(2) / 2: the Taylor series to r^13, odd and even powers apart. */
function curve(r: number): number {
  const s = r * r;
  const even =
    1 / 2 +
    s * (1 / 24 + s * (1 / 720 + s * (1 / 40320 + s * (1 / 3628800 + s * (1 / 479001600)))));
  const odd =
    1 / 6 +
    s * (1 / 120 + s * (1 / 5040 + s * (1 / 362880 + s * (1 / 39916800 + s * (1 / 6227020800)))));
  return s * (even + r * odd);
}
