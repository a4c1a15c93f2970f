/**
 * What happened in a run, the same words for every world. Times are microseconds from the start of the
 * workload, on one clock. Metrics, verdicts, plots and signatures are made of these alone.
 */
export type JobEvent = {
  readonly atUs: number;
} /** Ranks agreed on who they are. The first one is generation 1. */ & (
  | {
      readonly kind: "generation";
      readonly generation: number;
      readonly ranks: number;
      readonly dp: number;
      readonly reason: string;
    }
  /** All ranks of the generation have done a step. It may be rolled back later. */
  | {
      readonly kind: "step";
      readonly generation: number;
      readonly step: number;
      /** Samples, requests, or what a command counts. */
      readonly units: number;
      /** First and one after the last sample, counted over all epochs; absent where nobody knows. */
      readonly samples?: readonly [from: number, to: number];
      readonly loss?: number;
      /** Of the slowest rank over that of the median rank, where known. */
      readonly straggle?: number;
    }
  | {
      readonly kind: "save";
      readonly phase: "begun" | "committed" | "failed";
      readonly tag: string;
      readonly step: number;
      readonly reason?: string;
    }
  | {
      readonly kind: "restore";
      readonly phase: "begun" | "done" | "refused" | "failed";
      /** Null: from the beginning. */
      readonly tag: string | null;
      readonly step: number;
      /** Why this one was passed over or could not be read. */
      readonly reason?: string;
      /** It was not whole, and was taken all the same; known to the world, not to the job. */
      readonly falseAccept?: boolean;
      /** What was loaded is what was saved, where the world can tell. */
      readonly sameAsSaved?: boolean;
    }
  /** Somebody noticed. */
  | {
      readonly kind: "detect";
      readonly by:
        | "exit"
        | "heartbeat"
        | "collective"
        | "device"
        | "comparison"
        | "numerics"
        | "storage"
        | "notice"
        | "progress";
      readonly ranks: readonly number[];
      readonly reason: string;
    }
  /** What was lost takes part in nothing any more; everybody else has stopped. */
  | { readonly kind: "isolate"; readonly ranks: readonly number[] }
  | { readonly kind: "pause"; readonly reason: string }
  | { readonly kind: "resume"; readonly reason: string }
  | { readonly kind: "memory"; readonly rank: number; readonly memory: MemorySample }
  /** Ranks that wait for each other, or for somebody who will never come. */
  | {
      readonly kind: "stuck";
      readonly form: "deadlock" | "livelock" | "hang";
      /** `missing rank`, `different op`, `different order`, `different size`, …; null: unknown. */
      readonly cause: string | null;
      readonly ranks: readonly number[];
      readonly reason: string;
    }
  | {
      readonly kind: "request";
      readonly id: number;
      readonly ok: boolean;
      readonly latencyUs: number;
    }
  /** A mark of coverage: something rare that a campaign should sometimes see. */
  | { readonly kind: "sometimes"; readonly mark: string }
  | { readonly kind: "finish"; readonly stateDigest: string }
  /** The job gave up and said why. */
  | { readonly kind: "give-up"; readonly reason: string }
);

/** One device's allocator, in the words of PyTorch's memory statistics. */
export interface MemorySample {
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly inactiveSplitBytes: number;
  readonly totalFreeBytes: number;
  readonly largestFreeBytes: number;
  readonly retries: number;
  readonly outOfMemories: number;
}
