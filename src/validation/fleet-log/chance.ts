import type { RngStream } from "../../platform/rng/index.ts";

/** A waiting time with this mean. */
export function exponential(stream: RngStream, mean: number): number {
  return -mean * Math.log(1 - stream.float());
}

/** A length whose logarithm is normal, with this median; sigma 1 spreads it over a factor of 7. */
export function logNormal(stream: RngStream, median: number, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - stream.float()));
  return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * stream.float()));
}

/** The times of a Poisson process in [from, to), in order. None for a rate of 0. */
export function poissonTimes(
  stream: RngStream,
  { ratePerS, from, to }: { readonly ratePerS: number; readonly from: number; readonly to: number },
): number[] {
  const times: number[] = [];
  if (ratePerS <= 0) return times;
  for (let t = from + exponential(stream, 1 / ratePerS); t < to; ) {
    times.push(t);
    t += exponential(stream, 1 / ratePerS);
  }
  return times;
}

/** One of the items, with chances in proportion to their weights. */
export function pickWeighted<T extends { readonly weight: number }>(
  stream: RngStream,
  items: readonly T[],
): T {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  let rest = stream.float() * total;
  for (const item of items) {
    rest -= item.weight;
    if (rest < 0) return item;
  }
  return stream.pick(items);
}
