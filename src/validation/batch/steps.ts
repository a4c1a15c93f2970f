import type { RunOutcome } from "../../platform/words.ts";
import type { JobView } from "../clusters/cluster.ts";
import type { OpenRun } from "../run.ts";

/** Something to be done about a run or a job. Each is safe to do twice. */
export type Step =
  /** Writes down that its job is there, or runs. */
  | { readonly kind: "note"; readonly run: OpenRun; readonly phase: "submitted" | "running" }
  /** Submits a job of which nobody knows whether it was submitted. */
  | { readonly kind: "submit"; readonly run: OpenRun }
  /** Writes down that it is to end, then ends its job where one is known of. */
  | {
      readonly kind: "cancel";
      readonly run: OpenRun;
      readonly hasJob: boolean;
      readonly reason: string;
      readonly outcome: RunOutcome;
    }
  /** Ends its job, which was to end before and is still there. */
  | { readonly kind: "cancel-again"; readonly run: OpenRun }
  /** Writes down how it ended, because its pod will not. */
  | {
      readonly kind: "conclude";
      readonly run: OpenRun;
      readonly outcome: RunOutcome;
      readonly error: string;
    }
  /** Ends a job that has no open run. */
  | { readonly kind: "cancel-stray"; readonly job: JobView };

export type StepKind = Step["kind"];
