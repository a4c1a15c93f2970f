import type { ExperimentOutcome } from "../../platform/words.ts";
import type { JudgedRun } from "../journal/index.ts";
import type { RecoveryPath } from "../plan/index.ts";

/** What a campaign keeps of one run. */
export interface RunSummary {
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
  readonly signature: string | null;
  readonly traceHash: string | null;
  readonly stateDigest: string | null;
  /** Faults of the plan, in its order, and whether their effect was seen. */
  readonly faults: readonly { readonly fault: string; readonly hadEffect: boolean }[];
  /** Marks of `sometimes`, sorted, each once. */
  readonly marks: readonly string[];
  /** How it came out of its faults, sorted, each once. */
  readonly paths: readonly RecoveryPath[];
  readonly recoverySeconds: number | null;
  readonly goodput: number | null;
  /** In the time of the world. */
  readonly seconds: number;
  /** Whether a second run came out the same; null: there was none. */
  readonly isRepeatable: boolean | null;
}

export function summaryOf({ record, judgement }: JudgedRun): RunSummary {
  const marks = record.events.flatMap((event) => (event.kind === "sometimes" ? [event.mark] : []));
  const paths = judgement.recoveries.flatMap(({ path }) => (path === null ? [] : [path]));
  return {
    outcome: judgement.outcome,
    reason: judgement.reason,
    signature: judgement.signature,
    traceHash: record.traceHash,
    stateDigest: record.stateDigest,
    faults: record.injections.map(({ fault, effectUs }) => ({
      fault,
      hadEffect: effectUs !== null,
    })),
    marks: [...new Set(marks)].toSorted(),
    paths: [...new Set(paths)].toSorted(),
    recoverySeconds: judgement.metrics.recoverySeconds,
    goodput: judgement.metrics.goodput,
    seconds: record.endUs / 1e6,
    isRepeatable: null,
  };
}

/** Whether two runs of one plan did the same, as far as can be seen. */
export function areSame(one: RunSummary, other: RunSummary): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
