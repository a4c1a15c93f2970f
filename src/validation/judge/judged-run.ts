import type { RunOutcome, Verdict } from "../../platform/words.ts";
import type { ClassifyFinding } from "../classify/index.ts";
import type { RunPurpose, RunRecord, RunVerdict } from "../run.ts";

/** A run that ended and was judged, without its samples. */
export interface JudgedRun {
  readonly runId: string;
  readonly node: string;
  readonly check: string;
  readonly purpose: RunPurpose;
  readonly plannedAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: RunOutcome;
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
  readonly findings: readonly ClassifyFinding[];
}

/** What is kept of a record once it is judged; undefined while it is not. */
export function judgedRun(
  record: RunRecord,
  verdict: RunVerdict | undefined = record.verdict,
): JudgedRun | undefined {
  const { intent, result } = record;
  if (result === undefined || verdict === undefined) return undefined;
  return {
    runId: intent.id,
    node: intent.node,
    check: intent.check,
    purpose: intent.purpose,
    plannedAtMs: intent.plannedAtMs,
    endedAtMs: result.endedAtMs,
    outcome: result.outcome,
    verdict: verdict.verdict,
    reason: verdict.reason,
    findings: verdict.findings,
  };
}
