const value64 = new Float64Array(1);
const words = new Uint32Array(value64.buffer);

/**
 * `sum / divisor` as a double that is rounded to odd: where the quotient is no double, of the two
 * around it the one whose last bit is set. Rounding that once more, to a format of up to 51 bits,
 * rounds the exact quotient. `divisor` is a whole number up to 2^20; the sum, if not zero, lies so
 * far inside the range of doubles that nothing underflows, as sums of smaller formats do.
 */
export function quotientToOdd(sum: number, divisor: number): number {
  const quotient = sum / divisor;
  if (!Number.isFinite(quotient) || quotient === 0) return quotient;
  // The upper 26 bits and the rest; the products of each with the divisor are exact.
  const spread = quotient * (2 ** 27 + 1);
  const upper = spread - (spread - quotient);
  const residual = sum - upper * divisor - (quotient - upper) * divisor;
  value64[0] = quotient;
  const low = words[0] as number;
  if (residual === 0 || (low & 1) === 1) return quotient;
  if (residual > 0 === quotient > 0) {
    words[0] = low + 1;
  } else if (low === 0) {
    words[0] = 0xffffffff;
    words[1] = (words[1] as number) - 1;
  } else {
    words[0] = low - 1;
  }
  return value64[0];
}
