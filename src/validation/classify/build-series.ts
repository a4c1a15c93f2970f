import { keyOfEntity, type PreparedRun } from "./prepare.ts";
import type { Series, SeriesPoint } from "./series.ts";

/** Whose a value of a statistic is. */
export interface Observation {
  readonly prepared: PreparedRun;
  /** The GPU, for a statistic of one. */
  readonly gpu?: number | undefined;
}

interface OpenSeries extends Series {
  readonly points: SeriesPoint[];
  isSorted: boolean;
}

/**
 * The values of observations as one series for each node (and GPU), each in the order of time.
 *
 * @param values one for each observation, in the same order.
 */
export function buildSeries(
  observations: readonly Observation[],
  values: ArrayLike<number>,
): readonly Series[] {
  const byEntity = new Map<number, OpenSeries>();
  for (const [at, { prepared, gpu }] of observations.entries()) {
    const { run, index } = prepared;
    const point = { run: index, timeMs: run.timestampMs, value: values[at] ?? 0 };
    const key = keyOfEntity(prepared.nodeId, gpu);
    const known = byEntity.get(key);
    if (known === undefined) {
      byEntity.set(key, { node: run.node, gpu, points: [point], isSorted: true });
      continue;
    }
    const last = known.points.at(-1);
    known.isSorted &&= last === undefined || byTime(last, point) < 0;
    known.points.push(point);
  }
  return Array.from(byEntity.values(), ({ node, gpu, points, isSorted }) => {
    if (!isSorted) points.sort(byTime);
    return { node, gpu, points };
  });
}

function byTime(a: SeriesPoint, b: SeriesPoint): number {
  return a.timeMs - b.timeMs || a.run - b.run;
}
