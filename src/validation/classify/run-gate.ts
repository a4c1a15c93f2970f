import { counted } from "./text.ts";
import type { CheckRun, RuleName } from "./types.ts";

/** Why a run cannot be judged. */
export interface GateProblem {
  readonly rule: RuleName;
  /** The figure, or `*` for the whole run. */
  readonly metric: string;
  readonly value: number | null;
  readonly bound: number | null;
  readonly text: string;
}

/** What is wrong with a run by itself: it did not complete, or has samples that mean nothing. */
export function ownProblem(run: CheckRun): GateProblem | undefined {
  if (!run.completed) {
    return whole("incomplete", "the run did not complete, so it says nothing about the node");
  }
  if (run.figures.size === 0) return whole("garbled", "the run has no figures");
  for (const [metric, { samples }] of run.figures) {
    if (samples.length === 0) {
      return { rule: "garbled", metric, value: 0, bound: 1, text: `${metric} has no samples` };
    }
    let wrong = 0;
    for (let at = 0; at < samples.length; at++) if (!isSound(samples[at] ?? 0)) wrong++;
    if (wrong > 0) {
      const text = `${counted(wrong, "sample")} of ${metric} ${wrong === 1 ? "is" : "are"} not a positive number`;
      return { rule: "garbled", metric, value: wrong, bound: 0, text };
    }
  }
  return undefined;
}

/** A problem of the whole run, without a number. */
export function whole(rule: RuleName, text: string): GateProblem {
  return { rule, metric: "*", value: null, bound: null, text };
}

function isSound(sample: number): boolean {
  return Number.isFinite(sample) && sample > 0;
}
