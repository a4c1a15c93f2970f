import type { Judgement } from "../judge/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";

/** One run of a plan, the run without faults beside it, and what both prove. */
export interface JudgedRun {
  readonly plan: ChaosPlan;
  readonly record: RunRecord;
  /** Null: there was none to compare with. */
  readonly baseline: RunRecord | null;
  readonly judgement: Judgement;
}

/** Runs a plan and its baseline, and judges. */
export type Trial = (plan: ChaosPlan, signal: AbortSignal) => Promise<JudgedRun>;
