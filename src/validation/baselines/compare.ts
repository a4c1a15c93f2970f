import { amount, percent } from "../classify/text.ts";
import type { Baseline, BaselineFigure } from "../history/history.ts";
import type { RunFigure } from "../run.ts";
import { figureLevels, lossOf } from "./figure-levels.ts";

/** A figure of a run that is worse than the baseline lets it be. */
export interface Deviation {
  readonly metric: string;
  /** In the baseline's unit. */
  readonly value: number;
  readonly bound: number;
  /** Worse than the baseline's level by this share of it. */
  readonly loss: number;
  /** More than twice as far off as allowed. */
  readonly isFar: boolean;
  /** `busbw is 40.1 GB/s, 12 % below the 45.6 GB/s of baseline bl-…`. */
  readonly text: string;
}

/** How many standard deviations a run may lie off its baseline. */
const deviationsMax = 4;
/** Less than this share is never held against a run. */
const lossMin = 0.03;
/** The same for the slow samples of a run, whose scatter the baseline does not know. */
const tailLossMin = 0.1;
const farFactor = 2;

/** By which share a single run may be worse than the baseline's level. */
export function allowedLoss({ median, sigma, runSigma = 0 }: BaselineFigure): number {
  return Math.max(lossMin, (deviationsMax * Math.hypot(sigma, runSigma)) / median);
}

/**
 * Holds the figures of a run against a baseline: its centre against the middle of the nodes, its
 * slow samples against those of the nodes. Only slow ones are never far off: they have no scatter.
 *
 * @returns what is worse than allowed, worst first; empty when all is well.
 */
export function compareWithBaseline(
  figures: Readonly<Record<string, RunFigure>>,
  baseline: Baseline,
): readonly Deviation[] {
  return Object.entries(baseline.figures)
    .flatMap(([metric, usual]) => {
      const figure = figures[metric];
      if (figure === undefined || figure.higherIsBetter !== usual.higherIsBetter) return [];
      return compareFigure(metric, { figure, usual, baselineId: baseline.id });
    })
    .toSorted((a, b) => b.loss - a.loss);
}

function compareFigure(
  metric: string,
  given: {
    readonly figure: RunFigure;
    readonly usual: BaselineFigure;
    readonly baselineId: string;
  },
): readonly Deviation[] {
  const { figure, usual, baselineId } = given;
  const { higherIsBetter, unit, median, tail } = usual;
  const levels = figureLevels(figure, unit);
  if (levels === undefined) return [];
  const allowed = allowedLoss(usual);
  const side = higherIsBetter ? "below" : "above";
  const shown = unit === "" ? undefined : unit;
  const boundOf = (level: number, loss: number) => level * (higherIsBetter ? 1 - loss : 1 + loss);
  const loss = lossOf(levels.centre, median, higherIsBetter);
  if (loss > allowed) {
    const text = `${metric} is ${amount(levels.centre, shown)}, ${percent(loss)} ${side} the ${amount(median, shown)} of baseline ${baselineId}`;
    const bound = boundOf(median, allowed);
    return [{ metric, value: levels.centre, bound, loss, isFar: loss > farFactor * allowed, text }];
  }
  const allowedTail = Math.max(tailLossMin, farFactor * allowed);
  const tailLoss = lossOf(levels.tail, tail, higherIsBetter);
  if (tailLoss <= allowedTail) return [];
  const text = `the slow samples of ${metric} are at ${amount(levels.tail, shown)}, ${percent(tailLoss)} ${side} the ${amount(tail, shown)} of baseline ${baselineId}`;
  const bound = boundOf(tail, allowedTail);
  return [{ metric, value: levels.tail, bound, loss: tailLoss, isFar: false, text }];
}
