const pairsPointsMax = 400;

/**
 * How much a rate changed from the start to the end of a run, as a share of its middle: the median
 * of the slopes between all pairs of points (Theil and Sen), which a few bad points do not move.
 * Null for fewer than three points or no time between them.
 */
export function driftOf(
  points: readonly { readonly atMs: number; readonly rate: number }[],
): number | null {
  const used = thinned(points);
  const [first] = used;
  const last = used.at(-1);
  if (used.length < 3 || first === undefined || last === undefined) return null;
  const slopes: number[] = [];
  for (const [at, one] of used.entries()) {
    for (const other of used.slice(at + 1)) {
      const apartMs = other.atMs - one.atMs;
      if (apartMs > 0) slopes.push((other.rate - one.rate) / apartMs);
    }
  }
  const slope = medianOf(slopes);
  const middle = medianOf(used.map(({ rate }) => rate));
  if (slope === null || middle === null || middle <= 0) return null;
  return (slope * (last.atMs - first.atMs)) / middle;
}

/** Evenly spaced ones of many, the first and the last among them. */
function thinned<T>(points: readonly T[]): readonly T[] {
  if (points.length <= pairsPointsMax) return points;
  const by = (points.length - 1) / (pairsPointsMax - 1);
  return Array.from(
    { length: pairsPointsMax },
    (_, index) => points[Math.round(index * by)],
  ).filter((point) => point !== undefined);
}

/** The middle value, the mean of the two middle ones; null of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.ceil((sorted.length - 1) / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
