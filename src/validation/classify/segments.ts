import { type Reference, reachSigmas } from "./reference.ts";
import { cautiousMean, medianOf } from "./stats/robust.ts";

/** A stretch of a node's history at one level. */
export interface Segment {
  /** The first point and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

export interface Split {
  readonly before: Segment;
  readonly after: Segment;
  /** How clear the change is, in standard errors; negative when the level fell. */
  readonly score: number;
}

/** How many of a node's own values its own noise has to outweigh that of the cohort. */
const priorDegrees = 8;
const clipSigmas = 4;
/** How many of the likeliest places to cut are looked at closely. */
const cutsMax = 4;

/** The whole history as one stretch. */
export function wholeHistory(values: readonly number[], reference: Reference): Segment {
  return segment(values, { from: 0, to: values.length, sigma: reference.runSigma });
}

/**
 * The most likely change of level in a node's history: the place where the means before and after
 * differ most, against the noise between runs. Undefined with fewer than three runs.
 */
export function clearestSplit(values: readonly number[], reference: Reference): Split | undefined {
  const sigma = reference.runSigma;
  let best: Split | undefined;
  for (const at of likelyCuts(values, sigma)) {
    const before = segment(values, { from: 0, to: at, sigma });
    const after = segment(values, { from: at, to: values.length, sigma });
    const own = ownSigma(values, { before, after, sigma });
    const error = own * Math.sqrt(1 / at + 1 / (values.length - at));
    const score = (after.level - before.level) / error;
    if (best === undefined || Math.abs(score) > Math.abs(best.score))
      best = { before, after, score };
  }
  return best;
}

/** Where plain means before and after differ most; single outliers count for little. */
function likelyCuts(values: readonly number[], sigma: number): readonly number[] {
  const { length } = values;
  if (length < 3) return [];
  const middle = medianOf(values);
  const reach = clipSigmas * sigma;
  const clipped = values.map((value) => Math.max(-reach, Math.min(reach, value - middle)));
  let total = 0;
  for (const value of clipped) total += value;
  const cuts: Cut[] = [];
  let sum = 0;
  for (let at = 1; at < length; at++) {
    sum += clipped[at - 1] ?? 0;
    const difference = (total - sum) / (length - at) - sum / at;
    const score = Math.abs(difference) / Math.sqrt(1 / at + 1 / (length - at));
    addCut(cuts, { at, score });
  }
  return cuts.map(({ at }) => at);
}

interface Cut {
  readonly at: number;
  readonly score: number;
}

/** Keeps the clearest cuts, clearest first; of equal ones the earlier is before the later. */
function addCut(cuts: Cut[], cut: Cut): void {
  if (cuts.length === cutsMax && !(cut.score > (cuts.at(-1)?.score ?? 0))) return;
  if (cuts.length === cutsMax) cuts.pop();
  let place = cuts.length;
  while (place > 0 && cut.score > (cuts[place - 1]?.score ?? 0)) place--;
  cuts.splice(place, 0, cut);
}

function segment(
  values: readonly number[],
  { from, to, sigma }: { readonly from: number; readonly to: number; readonly sigma: number },
): Segment {
  return { from, to, level: cautiousMean(values, reachSigmas * sigma, { from, to }) };
}

/** The noise of this node: that of the cohort, or more when its own runs scatter more. */
function ownSigma(
  values: readonly number[],
  {
    before,
    after,
    sigma,
  }: { readonly before: Segment; readonly after: Segment; readonly sigma: number },
): number {
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const { level } = at < after.from ? before : after;
    squares += ((values[at] ?? 0) - level) ** 2;
  }
  const degrees = Math.max(0, values.length - 2);
  return Math.max(
    sigma,
    Math.sqrt((priorDegrees * sigma ** 2 + squares) / (priorDegrees + degrees)),
  );
}
