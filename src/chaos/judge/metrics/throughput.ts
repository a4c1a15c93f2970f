import { medianOf } from "../stats/index.ts";
import type { TimeSplit } from "../time-split.ts";

/** Units a second in windows of equal length, one after the other. */
export interface RateWindows {
  readonly fromUs: number;
  readonly windowUs: number;
  readonly rates: readonly number[];
}

/** A run beside the one without faults. */
export interface Throughput {
  readonly run: RateWindows;
  readonly baseline: RateWindows;
  /** The median rate of the run without faults, after its first window. */
  readonly usualRate: number;
}

/** A window is good from this share of the usual rate on. */
export const goodShare = 0.95;
/** After so many good windows in a row a dip is over. */
export const goodWindows = 3;

const stepsPerWindow = 10;
const windowUsMin = 30_000_000;
const windowsWanted = 12;
const stepsPerWindowMin = 2;
const windowsMax = 200_000;

/**
 * A window: ten steps and at least 30 s. A run too short for twelve of them has shorter ones, so that a test of
 * seconds has a curve as well: of two steps at least, and as long as the longest time from one step to the
 * next, so that a save that everybody waits for is no standstill.
 */
export function windowUsFor(baseline: TimeSplit): number | null {
  const stepUs = medianOf(baseline.stepsUs);
  const span = trainingSpan(baseline);
  if (stepUs === null || stepUs <= 0 || span === null) return null;
  const usual = Math.max(stepsPerWindow * stepUs, windowUsMin);
  const spanUs = span.toUs - span.fromUs;
  const chosen =
    spanUs >= windowsWanted * usual
      ? usual
      : Math.max(
          stepsPerWindowMin * stepUs,
          Math.min(usual, spanUs / windowsWanted),
          longestToNextUs(baseline),
        );
  return Math.max(1, Math.ceil(Math.max(chosen, spanUs / windowsMax)));
}

/** Null when either run made nothing, or too little for a single window. */
export function throughputOf(
  run: TimeSplit,
  baseline: TimeSplit,
  options: {
    /** A job that ended early makes nothing until its baseline would have been done. */
    readonly hasFinished: boolean;
  },
): Throughput | null {
  const windowUs = windowUsFor(baseline);
  const usual = trainingSpan(baseline);
  if (windowUs === null || usual === null) return null;
  const ofBaseline = rateWindows(baseline, { ...usual, windowUs });
  const warm = ofBaseline.rates.length > 3 ? ofBaseline.rates.slice(1) : ofBaseline.rates;
  const usualRate = medianOf(warm);
  if (usualRate === null || usualRate <= 0) return null;
  const own = trainingSpan(run);
  const fromUs = own?.fromUs ?? usual.fromUs;
  const ownToUs = own?.toUs ?? fromUs;
  const toUs = options.hasFinished ? ownToUs : Math.max(run.wallUs, usual.toUs);
  return {
    run: rateWindows(run, { fromUs, toUs, windowUs }),
    baseline: ofBaseline,
    usualRate,
  };
}

/** From the end of a step to the end of the next. */
function longestToNextUs({ spans }: TimeSplit): number {
  let longest = 0;
  let lastUs: number | null = null;
  for (const { step, toUs } of spans) {
    if (step === undefined) continue;
    longest = Math.max(longest, toUs - (lastUs ?? toUs));
    lastUs = toUs;
  }
  return longest;
}

/** From where the first step began to where the last one ended, whether they stayed or not. */
function trainingSpan(split: TimeSplit): { fromUs: number; toUs: number } | null {
  const steps = split.spans.filter(({ step }) => step !== undefined);
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return null;
  return { fromUs: first.fromUs, toUs: last.toUs };
}

/**
 * Units that stayed. Those of a step are spread over the time it took: a window that ends within a step
 * has its part of it, and steps a little longer or shorter than a window make no noise.
 */
function rateWindows(
  { spans }: TimeSplit,
  options: { readonly fromUs: number; readonly toUs: number; readonly windowUs: number },
): RateWindows {
  const { fromUs, toUs, windowUs } = options;
  const count = Math.min(windowsMax, Math.floor((toUs - fromUs) / windowUs));
  const units = new Float64Array(Math.max(0, count));
  for (const span of spans) {
    if (span.use !== "productive" || span.step === undefined) continue;
    const perUs = span.step.units / (span.stepUs ?? 1);
    const last = Math.min(count - 1, Math.floor((span.toUs - fromUs) / windowUs));
    for (let at = Math.max(0, Math.floor((span.fromUs - fromUs) / windowUs)); at <= last; at++) {
      const startUs = fromUs + at * windowUs;
      const inside = Math.min(span.toUs, startUs + windowUs) - Math.max(span.fromUs, startUs);
      if (inside > 0) units[at] = (units[at] ?? 0) + perUs * inside;
    }
  }
  return { fromUs, windowUs, rates: Array.from(units, (amount) => (amount * 1e6) / windowUs) };
}
