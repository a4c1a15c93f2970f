import type { FigureName, FigureNames } from "./figure-names.ts";
import { midmean } from "./stats/robust.ts";
import { sortInPlace } from "./stats/sort-in-place.ts";
import type { CheckRun } from "./types.ts";

/** A figure of a usable run in the form that all statistics work on. */
export interface PreparedFigure extends FigureName {
  /** Logarithms of the samples in the usual unit, turned so that higher is better; ascending. */
  readonly logs: Float64Array;
  /** The mean of the middle half of them. */
  readonly centre: number;
  readonly higherIsBetter: boolean;
}

/** A run that may be compared with others. */
export interface PreparedRun {
  /** Its place in the list that is classified. */
  readonly index: number;
  readonly run: CheckRun;
  /** A number for its node, which takes less time to look up than the name. */
  readonly nodeId: number;
  readonly figures: ReadonlyMap<string, PreparedFigure>;
}

const gpuNumbers = 10_000;

/** One number for a node (or a run) and a GPU of it, or for the whole of it. */
export function keyOfEntity(id: number, gpu: number | undefined): number {
  return id * (gpuNumbers + 1) + (gpu === undefined ? gpuNumbers : gpu);
}

/**
 * The figures of a run ready for statistics. All samples must be positive.
 *
 * @param factors what they are multiplied by to be in the usual unit, where it is not 1.
 */
export function prepareFigures(
  { figures }: CheckRun,
  names: FigureNames,
  factors: ReadonlyMap<string, number>,
): ReadonlyMap<string, PreparedFigure> {
  let total = 0;
  for (const { samples } of figures.values()) total += samples.length;
  // One array for all figures: thousands of small ones would cost more than what is done with them.
  const allLogs = new Float64Array(total);
  const prepared = new Map<string, PreparedFigure>();
  let from = 0;
  for (const [name, { samples, higherIsBetter }] of figures) {
    const sign = higherIsBetter ? 1 : -1;
    const factor = factors.get(name) ?? 1;
    const to = from + samples.length;
    for (let at = from; at < to; at++) {
      allLogs[at] = sign * Math.log((samples[at - from] ?? 0) * factor);
    }
    sortInPlace(allLogs, from, to);
    const logs = allLogs.subarray(from, to);
    const { base, gpu, family } = names.of(name);
    prepared.set(name, { base, gpu, family, logs, centre: midmean(logs), higherIsBetter });
    from = to;
  }
  return prepared;
}

/** A level of a figure as people know it, from its turned logarithm. */
export function fromLog(level: number, higherIsBetter: boolean): number {
  return Math.exp(higherIsBetter ? level : -level);
}
