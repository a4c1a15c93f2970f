import { nearestCentre, type Reference } from "./reference.ts";
import { clearestSplit, type Segment, type Split, wholeHistory } from "./segments.ts";
import { type Series, valuesOf } from "./series.ts";
import { studentUpperQuantile } from "./stats/student.ts";
import { transientBound } from "./transients.ts";

/** When a statistic speaks up. */
export interface AlarmRates {
  /** How often a healthy run may be called bad by its own value. */
  readonly run: number;
  /** How often a healthy node may be called bad by the level of its runs. */
  readonly node: number;
  /** How often a healthy node may be called fallen against its own past. */
  readonly history: number;
  /** The least distance from the centre that matters at all, in the unit of the values. */
  readonly leastEffect: number;
}

/** What a statistic says against a run (or, with `faster`, in its favour). */
export interface Mark {
  readonly run: number;
  /** The GPU, for a statistic of one. */
  readonly gpu: number | undefined;
  /**
   * `run` by its own value; `level` because the node's runs together are low; `history` because
   * they fell against its own past, `fall` when only the last run did; `faster` above the band.
   */
  readonly kind: "run" | "level" | "history" | "fall" | "faster";
  /** How far beyond its bound, in standard deviations. */
  readonly excess: number;
  readonly value: number;
  readonly bound: number;
}

/** Where evidence begins, in standard deviations. */
interface Limits {
  readonly run: number;
  /** How far a single run is known to fall now and then on healthy nodes, in the unit of values. */
  readonly single: number;
  /** By how many runs a level rests on: the mean of few runs has the heavy tails of single ones. */
  node(count: number): number;
  history(count: number): number;
  readonly leastEffect: number;
}

/** So many places a history may be cut at, in effect: neighbouring cuts say much the same. */
const cutsInEffect = 4;

/** Judges every run of every series of a statistic against the reference. */
export function judgeSeries(
  allSeries: readonly Series[],
  reference: Reference,
  rates: AlarmRates,
): readonly Mark[] {
  const degrees = Math.min(reference.degrees, reference.tailDegrees);
  const byNoise = studentUpperQuantile(rates.run, degrees);
  const byHabit = transientBound(allSeries, reference, { limit: byNoise, rate: rates.run });
  const limits: Limits = {
    run: Math.max(byNoise, byHabit),
    single: byHabit * totalSigma(reference),
    node: byCount(rates.node, reference),
    history: byCount(rates.history / cutsInEffect, { ...reference, degrees: 1000 }),
    leastEffect: rates.leastEffect,
  };
  const marks: Mark[] = [];
  for (const series of allSeries) {
    addRunMarks(marks, series, { reference, limits });
    if (reference.hasRepeats && series.points.length >= 2) {
      for (const mark of nodeMarks(series, reference, limits)) marks.push(mark);
    }
  }
  return marks;
}

/** The limit for a mean of so many runs; each further run makes the tails lighter. */
function byCount(
  rate: number,
  { degrees, tailDegrees }: Pick<Reference, "degrees" | "tailDegrees">,
): (count: number) => number {
  const known = new Map<number, number>();
  return (count) => {
    const limit =
      known.get(count) ?? studentUpperQuantile(rate, Math.min(degrees, tailDegrees * count));
    known.set(count, limit);
    return limit;
  };
}

/** The standard deviation of one run's value around its population's centre. */
export function totalSigma({ nodeSigma, runSigma, hasRepeats }: Reference): number {
  return hasRepeats ? Math.hypot(nodeSigma, runSigma) : runSigma;
}

function addRunMarks(
  marks: Mark[],
  { node, gpu, points }: Series,
  { reference, limits }: { readonly reference: Reference; readonly limits: Limits },
): void {
  const sigma = Math.max(totalSigma(reference), limits.leastEffect / limits.run);
  const reach = limits.run * sigma;
  for (const { run, value } of points) {
    const centre = ownCentre(reference, node, { level: value, reach });
    const distance = (value - centre) / sigma;
    if (distance < -limits.run) {
      const excess = -distance - limits.run;
      marks.push({ run, gpu, kind: "run", excess, value, bound: centre - reach });
    } else if (distance > limits.run) {
      const excess = distance - limits.run;
      marks.push({ run, gpu, kind: "faster", excess, value, bound: centre + reach });
    }
  }
}

/**
 * The centre a level is held against: the nearest of those the node can belong to, or the next
 * better one when it is too good for that. Between two populations nothing is healthy.
 */
function ownCentre(
  { centres, homes }: Reference,
  node: string,
  { level, reach }: { readonly level: number; readonly reach: number },
): number {
  const possible = homes === undefined ? centres : centres.slice(homes.get(node) ?? 0);
  const nearest = nearestCentre(possible, level);
  if (level <= nearest + reach) return nearest;
  return possible.find((centre) => centre > level) ?? nearest;
}

function nodeMarks(series: Series, reference: Reference, limits: Limits): Mark[] {
  const values = valuesOf(series);
  const split = clearestSplit(values, reference);
  const limit = split === undefined ? 0 : limits.history(shorterSide(split));
  const changed = split !== undefined && Math.abs(split.score) > limit;
  const segments = changed ? [split.before, split.after] : [wholeHistory(values, reference)];
  const marks = segments.flatMap((segment) => levelMarks(series, segment, { reference, limits }));
  return changed ? [...marks, ...fallMarks(series, split, { limit, limits })] : marks;
}

/** A fall against the node's own past. A single run at the end is one more run to confirm. */
function fallMarks(
  { gpu, points }: Series,
  { before, after, score }: Split,
  { limit, limits }: { readonly limit: number; readonly limits: Limits },
): Mark[] {
  const fall = before.level - after.level;
  const lasts = after.to - after.from >= 2;
  const least = Math.max(limits.leastEffect, lasts ? 0 : limits.single);
  if (score > 0 || fall < least || before.to < 2) return [];
  const kind = lasts ? "history" : "fall";
  const bound = before.level + (limit / score) * fall;
  return points.slice(after.from, after.to).map(({ run }) => {
    return { run, gpu, kind, excess: -score - limit, value: after.level, bound };
  });
}

function shorterSide({ before, after }: Split): number {
  return Math.min(before.to - before.from, after.to - after.from);
}

function levelMarks(
  series: Series,
  segment: Segment,
  { reference, limits }: { readonly reference: Reference; readonly limits: Limits },
): Mark[] {
  const count = segment.to - segment.from;
  if (count < 2) return [];
  const limit = limits.node(count);
  const sigma = Math.max(
    Math.hypot(reference.nodeSigma, reference.runSigma / Math.sqrt(count)),
    limits.leastEffect / limit,
  );
  const centre = ownCentre(reference, series.node, { level: segment.level, reach: limit * sigma });
  const distance = (segment.level - centre) / sigma;
  if (distance >= -limit) return [];
  const bound = centre - limit * sigma;
  const excess = -distance - limit;
  return series.points.slice(segment.from, segment.to).map(({ run }) => ({
    run,
    gpu: series.gpu,
    kind: "level",
    excess,
    value: segment.level,
    bound,
  }));
}
