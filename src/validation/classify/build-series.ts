import type { PreparedRun } from "./prepare.ts";
import type { Series, SeriesPoint } from "./series.ts";

/** One value of a statistic, with whose it is. */
export interface Observation {
  readonly prepared: PreparedRun;
  /** The GPU, for a statistic of one. */
  readonly gpu?: number | undefined;
  readonly value: number;
}

/** The observations as one series for each node (and GPU), each in the order of time. */
export function buildSeries(observations: Iterable<Observation>): readonly Series[] {
  const byEntity = new Map<string, Series & { readonly points: SeriesPoint[] }>();
  for (const { prepared, gpu, value } of observations) {
    const { node, timestampMs } = prepared.run;
    const entity = gpu === undefined ? node : `${gpu}/${node}`;
    const known = byEntity.get(entity) ?? { node, gpu, points: [] };
    known.points.push({ run: prepared.index, timeMs: timestampMs, value });
    byEntity.set(entity, known);
  }
  for (const { points } of byEntity.values()) {
    points.sort((a, b) => a.timeMs - b.timeMs || a.run - b.run);
  }
  return [...byEntity.values()];
}
