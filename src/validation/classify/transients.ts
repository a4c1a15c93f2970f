import { nearestCentre, type Reference } from "./reference.ts";
import type { Series } from "./series.ts";
import { ascending, quantile } from "./stats/robust.ts";

/** So many nodes must have had an odd run that cleared before the band is widened for such runs. */
const nodesMin = 4;
const shareMin = 0.004;
/** Odd runs that crowd in two tenths of the time are an incident, not a habit. */
const crowdedShareMax = 0.6;

/**
 * How far off healthy runs are known to be now and then. Where several nodes each had one odd run
 * and were well before and after, a check has such runs, and the next one says nothing about its
 * node. Nodes with several odd runs are left out: those are not healthy ones. 0 when there is no
 * such habit.
 */
export function transientBound(
  allSeries: readonly Series[],
  reference: Reference,
  { limit, rate }: { readonly limit: number; readonly rate: number },
): number {
  if (!reference.hasRepeats) return 0;
  const sigma = Math.hypot(reference.nodeSigma, reference.runSigma);
  const depths: number[] = [];
  const times: number[] = [];
  let runs = 0;
  let repeaters = 0;
  for (const [at, { points }] of allSeries.entries()) {
    if (points.length < 3) continue;
    runs += points.length;
    const centre = nearestCentre(reference.centres, reference.levels[at] ?? 0);
    // An odd last run has not cleared, and is what is in question.
    const odd = points.slice(0, -1).filter(({ value }) => (centre - value) / sigma > limit);
    const [only] = odd;
    if (odd.length > 1) repeaters++;
    if (odd.length !== 1 || only === undefined) continue;
    depths.push((centre - only.value) / sigma);
    times.push(only.timeMs);
  }
  const isHabit =
    depths.length >= nodesMin && depths.length >= 2 * repeaters && depths.length > shareMin * runs;
  if (!isHabit || areCrowded(times, allSeries)) return 0;
  depths.sort((a, b) => b - a);
  return 1.1 * (depths[Math.floor(rate * runs)] ?? 0);
}

/** Most of the times fall into two of ten stretches with equally many runs. */
function areCrowded(times: readonly number[], allSeries: readonly Series[]): boolean {
  const all = ascending(allSeries.flatMap(({ points }) => points.map(({ timeMs }) => timeMs)));
  const edges = Array.from({ length: 9 }, (_, at) => quantile(all, (at + 1) / 10));
  const counts = Array.from({ length: 10 }, () => 0);
  for (const time of times) {
    const at = edges.filter((edge) => edge < time).length;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const [first = 0, second = 0] = counts.toSorted((a, b) => b - a);
  return first + second > crowdedShareMax * times.length;
}
