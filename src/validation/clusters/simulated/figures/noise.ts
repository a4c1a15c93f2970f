import type { RngStream } from "../../../../platform/rng/index.ts";

/** A standard normal value. */
export function gaussian(random: RngStream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.float()));
  return radius * Math.cos(2 * Math.PI * random.float());
}

/** A value with Student's heavy tails (3 degrees of freedom) and the middle half of a normal one. */
export function heavyTailed(random: RngStream): number {
  const squares = gaussian(random) ** 2 + gaussian(random) ** 2 + gaussian(random) ** 2;
  return (0.8818 * gaussian(random)) / Math.sqrt(squares / 3);
}

/** A value between two bounds, each equally likely. */
export function between(random: RngStream, low: number, high: number): number {
  return low + (high - low) * random.float();
}
