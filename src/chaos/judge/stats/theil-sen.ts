import { quantile } from "./quantile.ts";

export interface Slope {
  readonly slope: number;
  /** 95 % interval, by Kendall's variance of the number of rising pairs. */
  readonly low: number;
  readonly high: number;
}

/** Pairs grow with the square: of more points, evenly spaced ones are taken. */
const pointsMax = 400;
const normal95 = 1.959963984540054;

/**
 * The median of the slopes between all pairs of points: what up to a quarter of bad points do not move.
 * Null for fewer than three points, or none apart.
 */
export function theilSen(
  points: readonly { readonly x: number; readonly y: number }[],
): Slope | null {
  const used = thinned(points);
  if (used.length < 3) return null;
  const slopes: number[] = [];
  for (const [at, one] of used.entries()) {
    for (let other = at + 1; other < used.length; other++) {
      const next = used[other];
      if (next !== undefined && next.x !== one.x) slopes.push((next.y - one.y) / (next.x - one.x));
    }
  }
  const slope = quantile(slopes, 0.5);
  if (slope === null) return null;
  const n = used.length;
  const reach = normal95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const share = reach / slopes.length / 2;
  return {
    slope,
    low: quantile(slopes, 0.5 - share) ?? slope,
    high: quantile(slopes, 0.5 + share) ?? slope,
  };
}

function thinned<T>(points: readonly T[]): readonly T[] {
  if (points.length <= pointsMax) return points;
  const by = (points.length - 1) / (pointsMax - 1);
  return Array.from({ length: pointsMax }, (_, index) => points[Math.round(index * by)]).filter(
    (point) => point !== undefined,
  );
}
