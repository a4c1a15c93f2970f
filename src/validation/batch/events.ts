import type { RunOutcome, Verdict } from "../../platform/words.ts";
import type { OpenRun, RunIntent, RunPurpose } from "../run.ts";

/** A run, as far as those who watch need to know it. */
export interface RunRef {
  readonly runId: string;
  readonly node: string;
  readonly check: string;
  readonly purpose: RunPurpose;
  readonly jobName: string;
}

/** What happens to runs. */
export type RunEvent =
  /** Its intent is on record. */
  | { readonly type: "planned"; readonly run: RunRef; readonly reason: string }
  /** The cluster has its job; `again` when an earlier attempt was not known to have succeeded. */
  | { readonly type: "submitted"; readonly run: RunRef; readonly again: boolean }
  | { readonly type: "running"; readonly run: RunRef }
  | { readonly type: "cancelling"; readonly run: RunRef; readonly reason: string }
  /** It has a result. */
  | {
      readonly type: "ended";
      readonly run: RunRef;
      readonly outcome: RunOutcome;
      /** Why it did not complete. */
      readonly error?: string;
    }
  | {
      readonly type: "judged";
      readonly run: RunRef;
      readonly verdict: Verdict;
      readonly reason: string;
    }
  /** A job of ours without an open run was ended. */
  | { readonly type: "stray"; readonly jobName: string; readonly node: string };

/** Something does not work; said once, however often it fails until it works again. */
export type TroubleEvent =
  | { readonly type: "trouble"; readonly step: string; readonly problem: string }
  | {
      readonly type: "recovered";
      readonly step: string;
      readonly failures: number;
      readonly lastedMs: number;
    };

export type BatchEvent = RunEvent | TroubleEvent;

export function runRef(of: RunIntent | OpenRun): RunRef {
  const intent = "intent" in of ? of.intent : of;
  const { id, node, check, purpose, jobName } = intent;
  return { runId: id, node, check, purpose, jobName };
}
