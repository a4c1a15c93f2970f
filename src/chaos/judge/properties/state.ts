import type { RunAnalysis } from "../analysis.ts";
import { shortDigest } from "../words.ts";

/** Whether the final state is that of the run without faults. */
export type StateFinding =
  | { readonly kind: "equal"; readonly digest: string }
  | { readonly kind: "different"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

export function compareStates({ plan, record, baseline }: RunAnalysis): StateFinding {
  const unknown = (reason: string) => ({ kind: "unknown" as const, reason });
  if (plan.workload.kind === "training" && plan.workload.numerics === "timing") {
    return unknown("this run only counted and computed no values, so it proves nothing about them");
  }
  if (baseline === null) return unknown("there is no run without faults to compare with");
  if (baseline.stateDigest === null) {
    return unknown(`the run without faults left no state: it ended as ${baseline.end}`);
  }
  if (record.stateDigest === null) return unknown("the job left no digest of its state");
  if (record.stateDigest === baseline.stateDigest) {
    return { kind: "equal", digest: record.stateDigest };
  }
  const [own, usual] = [record.stateDigest, baseline.stateDigest].map(shortDigest);
  const step = firstOtherStep({ record, baseline });
  const where = step === null ? "" : `; the first step with another loss is ${step}`;
  return {
    kind: "different",
    reason: `the final state is not that of the run without faults (${own} instead of ${usual})${where}`,
  };
}

/** The first step whose loss has other bits; null: none, or nobody knows. */
function firstOtherStep({
  record,
  baseline,
}: {
  readonly record: RunAnalysis["record"];
  readonly baseline: RunAnalysis["record"];
}): number | null {
  const usual = lossesOf(baseline);
  const own = lossesOf(record);
  for (const [step, loss] of own) {
    const expected = usual.get(step);
    if (expected !== undefined && !Object.is(loss, expected)) return step;
  }
  return null;
}

/** Of the last time that each step was done. */
export function lossesOf(record: RunAnalysis["record"]): ReadonlyMap<number, number> {
  const losses = new Map<number, number>();
  for (const event of record.events) {
    if (event.kind === "step" && event.loss !== undefined) losses.set(event.step, event.loss);
  }
  return losses;
}

/** Values of this workload are the same in every run, bit for bit. */
export function isRepeatable({ plan: { workload } }: RunAnalysis): boolean {
  return workload.kind === "training" && workload.numerics === "real";
}

/**
 * Committed checkpoints that hold wrong values as far as losses show, and that nobody refused or went back
 * behind.
 */
export function wrongCheckpoints(analysis: RunAnalysis): readonly string[] {
  const { record, baseline } = analysis;
  if (baseline === null || !isRepeatable(analysis)) return [];
  const usual = lossesOf(baseline);
  const wrong = new Map<string, number>();
  let wrongFrom = Number.POSITIVE_INFINITY;
  for (const event of record.events) {
    if (event.kind === "step" && event.loss !== undefined) {
      const expected = usual.get(event.step);
      const isWrong = expected !== undefined && !Object.is(event.loss, expected);
      if (isWrong) wrongFrom = Math.min(wrongFrom, event.step);
    } else if (event.kind === "save" && event.phase === "committed") {
      if (event.step >= wrongFrom) wrong.set(event.tag, event.step);
      else wrong.delete(event.tag);
    } else if (event.kind === "restore" && event.phase === "refused") {
      if (event.tag !== null) wrong.delete(event.tag);
    } else if (event.kind === "restore" && event.phase === "done") {
      for (const [tag, step] of wrong) if (step > event.step) wrong.delete(tag);
      if (event.tag === null || !wrong.has(event.tag)) wrongFrom = Number.POSITIVE_INFINITY;
    }
  }
  return [...wrong.keys()];
}
