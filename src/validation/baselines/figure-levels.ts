import { ascending, quantile } from "../classify/stats/robust.ts";
import { conversionFactor } from "../classify/units.ts";
import type { RunFigure } from "../run.ts";

/** One figure of a run as two numbers. */
export interface FigureLevels {
  /** The median of the samples. */
  readonly centre: number;
  /** The fifth worst percentile of the samples. */
  readonly tail: number;
}

const tailShare = 0.05;

/**
 * The levels of a figure in a unit; undefined when its samples mean nothing or its unit is another
 * kind of thing. A figure without a unit is taken to be in the one that is asked for.
 */
export function figureLevels(figure: RunFigure, unit: string): FigureLevels | undefined {
  const { samples, higherIsBetter } = figure;
  if (samples.length === 0) return undefined;
  if (!samples.every((sample) => Number.isFinite(sample) && sample > 0)) return undefined;
  const own = figure.unit ?? "";
  const factor = own === "" || unit === "" ? 1 : conversionFactor(own, unit);
  if (factor === undefined) return undefined;
  const sorted = ascending(samples);
  return {
    centre: factor * quantile(sorted, 0.5),
    tail: factor * quantile(sorted, higherIsBetter ? tailShare : 1 - tailShare),
  };
}

/** By which share a value is worse than a level; negative when it is better. */
export function lossOf(value: number, level: number, higherIsBetter: boolean): number {
  return (higherIsBetter ? level - value : value - level) / level;
}
