import type { Alarm } from "./alarm.ts";
import { buildSeries } from "./build-series.ts";
import type { KnownFigure } from "./common-populations.ts";
import type { FigureGroup } from "./figure-group.ts";
import { centreOf } from "./judge-centre.ts";
import { type AlarmRates, judgeSeries, totalSigma } from "./judge-series.ts";
import type { PreparedRun } from "./prepare.ts";
import { learnReference } from "./reference.ts";

const sigmaMin = 0.15;
/** One figure alone must not decide for all of them. */
const reach = 5;
const nodesMin = 8;

/**
 * Judges the mean of all figures, each in its own standard deviations: a node that is a little slow
 * in everything. How far figures move together by chance is learned like any other scatter.
 */
export function judgeTogether(
  groups: readonly FigureGroup[],
  known: readonly KnownFigure[],
  rates: AlarmRates,
): readonly Alarm[] {
  if (groups.length < 2) return [];
  const sums = new Map<PreparedRun, { sum: number; count: number }>();
  for (const [at, group] of groups.entries()) {
    const reference = known[at]?.reference;
    // Between populations a node may be counted to the wrong one, in one figure after the other.
    if (reference === undefined || reference.centres.length > 1) return [];
    const sigma = totalSigma(reference);
    const [centre = 0] = reference.centres;
    for (const entry of group.runs) {
      const known = sums.get(entry.prepared) ?? { sum: 0, count: 0 };
      const distance = Math.max(-reach, Math.min(reach, (centreOf(entry) - centre) / sigma));
      sums.set(entry.prepared, { sum: known.sum + distance, count: known.count + 1 });
    }
  }
  const complete = [...sums].filter(([, { count }]) => count === groups.length);
  const series = buildSeries(
    complete.map(([prepared]) => ({ prepared })),
    complete.map(([, { sum, count }]) => sum / count),
  );
  if (series.length < nodesMin) return [];
  const reference = learnReference(series, { sigmaMin, populations: true });
  return judgeSeries(series, reference, rates).flatMap(({ run, kind, excess, value, bound }) => {
    if (kind === "faster") return [];
    const text = `its ${groups.length} figures together are ${(-value).toFixed(1)} deviations below the cohort's middle, where at most ${(-bound).toFixed(1)} is usual`;
    const cohort = groups[0]?.label ?? "";
    return [{ run, metric: "*", rule: "band", kind, excess, value, bound, text, cohort }];
  });
}
