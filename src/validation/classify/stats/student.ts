import { normalUpperQuantile } from "./normal.ts";

/**
 * The bound that a Student variable exceeds with probability `tail`. Wider than the normal one,
 * because a scale estimated from few values may be too small.
 *
 * @param degrees of freedom, at least 3; fractions are allowed.
 */
export function studentUpperQuantile(tail: number, degrees: number): number {
  const freedom = Math.max(3, degrees);
  if (freedom > 1000) return normalUpperQuantile(tail);
  // Bracketed by the normal quantile from below; the tail of a Student variable is monotonic.
  let low = normalUpperQuantile(tail);
  let high = low + 1;
  for (let doublings = 0; doublings < 60 && studentUpperTail(high, freedom) > tail; doublings++) {
    low = high;
    high *= 2;
  }
  for (let halvings = 0; halvings < 50; halvings++) {
    const middle = (low + high) / 2;
    if (studentUpperTail(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T > t) for t > 0. */
export function studentUpperTail(t: number, degrees: number): number {
  return 0.5 * incompleteBeta(degrees / (degrees + t * t), { a: degrees / 2, b: 0.5 });
}

/** The regularised incomplete beta function, by its continued fraction. */
function incompleteBeta(x: number, { a, b }: { readonly a: number; readonly b: number }): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, { a: b, b: a });
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x),
  );
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let step = 1; step <= 300; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-12) break;
  }
  return (front * fraction) / a;
}

function nonZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/** Stirling's series, after moving the argument up to where three terms are exact enough. */
function logGamma(value: number): number {
  let shift = 0;
  let at = value;
  for (; at < 10; at++) shift += Math.log(at);
  const inverse = 1 / at;
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
