import { medianOf } from "../classify/stats/robust.ts";
import { amount, percent } from "../classify/text.ts";
import type { Baseline } from "../history/history.ts";
import type { RunFigure, RunRecord } from "../run.ts";
import { figureLevels, lossOf } from "./figure-levels.ts";

/** A whole cohort that is worse than its baseline: what they share is to blame. */
export interface CohortDrift {
  readonly metric: string;
  /** The middle of the nodes now, in the baseline's unit. */
  readonly value: number;
  readonly bound: number;
  readonly nodes: number;
  /** Worse by this share. */
  readonly loss: number;
  readonly text: string;
}

const dayMs = 86_400_000;
const nodesMin = 8;
/** A cohort that moved by less than this share has not moved. */
const driftMin = 0.02;
const standardErrorsMax = 4;
/** What all nodes share on a day, such as the load of a file system, is part of their runs' scatter. */
const runDeviationsMax = 2.5;
/** The standard error of a median against that of a mean. */
const medianFactor = 1.2533;

/**
 * Whether the nodes of a baseline's scope have moved together: the newest run of each of the last
 * day, or of the eight nodes tested last when fewer were tested in that day.
 *
 * @param runs completed runs of the scope, in any order.
 * @returns the figure that moved furthest; undefined when none did.
 */
export function findDrift(
  runs: readonly RunRecord[],
  baseline: Baseline,
  nowMs: number,
): CohortDrift | undefined {
  const newest = newestOfEachNode(runs);
  const lastDay = newest.filter(({ result }) => (result?.endedAtMs ?? 0) > nowMs - dayMs);
  const looked = lastDay.length >= nodesMin ? lastDay : newest.slice(0, nodesMin);
  const drifts = Object.keys(baseline.figures).flatMap(
    (metric) => driftOf(metric, looked, baseline) ?? [],
  );
  return drifts.toSorted((a, b) => b.loss - a.loss)[0];
}

/** Whether a run has moved with its cohort. */
export function takesPart(
  figures: Readonly<Record<string, RunFigure>>,
  baseline: Baseline,
  { metric }: CohortDrift,
): boolean {
  const figure = figures[metric];
  const usual = baseline.figures[metric];
  if (figure === undefined || usual === undefined) return false;
  const levels = figureLevels(figure, usual.unit);
  if (levels === undefined) return false;
  return lossOf(levels.centre, usual.median, usual.higherIsBetter) > driftMin;
}

function driftOf(
  metric: string,
  runs: readonly RunRecord[],
  { id, figures }: Baseline,
): CohortDrift | undefined {
  const usual = figures[metric];
  if (usual === undefined) return undefined;
  const { median, unit, higherIsBetter } = usual;
  const levels = runs.flatMap(({ result }) => {
    const figure = result?.figures[metric];
    return figure === undefined ? [] : (figureLevels(figure, unit)?.centre ?? []);
  });
  if (levels.length < nodesMin) return undefined;
  const value = medianOf(levels);
  const loss = lossOf(value, median, higherIsBetter);
  const spread = Math.hypot(usual.sigma, usual.runSigma ?? 0) / median;
  const error = (medianFactor * spread) / Math.sqrt(levels.length);
  const shared = (runDeviationsMax * (usual.runSigma ?? usual.sigma)) / median;
  const allowed = Math.max(driftMin, standardErrorsMax * error, shared);
  if (loss <= allowed) return undefined;
  const shown = unit === "" ? undefined : unit;
  const side = higherIsBetter ? "below" : "above";
  const text = `${metric} of ${levels.length} nodes is ${amount(value, shown)} in the middle, ${percent(loss)} ${side} the ${amount(median, shown)} of baseline ${id}`;
  const bound = median * (higherIsBetter ? 1 - allowed : 1 + allowed);
  return { metric, value, bound, nodes: levels.length, loss, text };
}

function newestOfEachNode(runs: readonly RunRecord[]): readonly RunRecord[] {
  const newest = new Map<string, RunRecord>();
  const sorted = runs.toSorted((a, b) => (b.result?.endedAtMs ?? 0) - (a.result?.endedAtMs ?? 0));
  for (const run of sorted) {
    if (!newest.has(run.intent.node)) newest.set(run.intent.node, run);
  }
  return [...newest.values()];
}
