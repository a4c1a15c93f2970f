import { ascending, midmean } from "./stats/robust.ts";
import type { CheckRun, FigureSamples } from "./types.ts";

/** A figure of a usable run in the form that all statistics work on. */
export interface PreparedFigure {
  /** The name without its GPU: `busbw` for `busbw.gpu3`. */
  readonly base: string;
  /** Which GPU, for a figure of one. */
  readonly gpu: number | undefined;
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
  readonly figures: ReadonlyMap<string, PreparedFigure>;
}

const ofGpu = /^(?<base>.+)\.gpu(?<gpu>\d{1,4})$/;

/** The figure a name belongs to, and the GPU if it is of one. */
export function splitName(name: string): {
  readonly base: string;
  readonly gpu: number | undefined;
} {
  const groups = ofGpu.exec(name)?.groups;
  if (groups === undefined) return { base: name, gpu: undefined };
  return { base: groups["base"] ?? name, gpu: Number(groups["gpu"]) };
}

/** A figure ready for statistics. All samples must be positive and in the usual unit already. */
export function prepareFigure(name: string, figure: FigureSamples, factor: number): PreparedFigure {
  const { samples, higherIsBetter } = figure;
  const sign = higherIsBetter ? 1 : -1;
  const logs = ascending(samples.map((sample) => sign * Math.log(sample * factor)));
  return { ...splitName(name), logs, centre: midmean(logs), higherIsBetter };
}

/** A level of a figure as people know it, from its turned logarithm. */
export function fromLog(level: number, higherIsBetter: boolean): number {
  return Math.exp(higherIsBetter ? level : -level);
}
