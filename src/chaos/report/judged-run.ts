import type { Judgement, RunAnalysis } from "../judge/index.ts";
import { analyzeRun } from "../judge/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";

/** What a report is made of. */
export interface ReportedRun {
  readonly plan: ChaosPlan;
  readonly record: RunRecord;
  /** The same plan without faults. */
  readonly baseline: RunRecord | null;
  readonly judgement: Judgement;
}

export function analysisOf({ plan, record, baseline }: ReportedRun): RunAnalysis {
  return analyzeRun(plan, record, baseline);
}
