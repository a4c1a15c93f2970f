import type { JsonObject } from "../platform/store/index.ts";
import type { Provenance, RunOutcome, Verdict } from "../platform/words.ts";
import type { ClassifyFinding } from "./classify/index.ts";

/**
 * Why a run was made: `routine` by the policy; `retest` to confirm or clear a suspicion;
 * `acceptance` of a node that is kept away from users until it passes; `manual` by somebody's wish.
 */
export const runPurposes = ["routine", "retest", "acceptance", "manual"] as const;
export type RunPurpose = (typeof runPurposes)[number];

/** One check to be run on one node: what was decided, written down before anything is submitted. */
export interface RunIntent {
  /** Made from cluster, node, check and time, so that deciding the same twice is deciding once. */
  readonly id: string;
  /** The name of the cluster in the configuration. */
  readonly cluster: string;
  readonly node: string;
  readonly check: string;
  readonly plannedAtMs: number;
  /** The job's name in the cluster, made from the id: a restarted loop finds its own job by it. */
  readonly jobName: string;
  readonly purpose: RunPurpose;
  /** Why this node and this check now, in words and numbers. */
  readonly reason: string;
  /** The policy that chose it; `none` for what no policy chooses. */
  readonly policy: string;
  readonly sku: string;
  readonly rack: string;
  /** The shared file system the check loads; empty when it loads none. */
  readonly fileSystem: string;
  readonly gpus: number;
  /** What it is charged against the day's budget. */
  readonly gpuHours: number;
  readonly provenance: Provenance;
}

/** The samples of one figure, as a check hands them in. */
export interface RunFigure {
  readonly samples: readonly number[];
  readonly higherIsBetter: boolean;
  readonly unit?: string;
}

/** How a run ended and what it measured. */
export interface RunResult {
  readonly runId: string;
  readonly outcome: RunOutcome;
  /** When the check began on the node; absent when it never did. */
  readonly startedAtMs?: number;
  readonly endedAtMs: number;
  /** Why it did not complete, one sentence; absent when it did. */
  readonly error?: string;
  readonly figures: Readonly<Record<string, RunFigure>>;
  /** Facts that need no statistics: wrong results, new uncorrectable errors. Any of them is a fail. */
  readonly hardFacts: readonly string[];
  /** What the run may be compared within beyond SKU and check: digest of driver, image, options. */
  readonly cohort?: string;
  /** Versions, digests, clocks, evidence: whatever explains the figures later. */
  readonly facts: JsonObject;
}

/**
 * Who says how a run ended: its `pod` (or process), by either way of handing in; or the `loop`, when
 * nothing was handed in. What the pod says outweighs what the loop concluded from its silence.
 */
export type ResultOrigin = "pod" | "loop";

/** The ways a result is handed in. */
export type HandInWay = "post" | "file";

/** What we conclude from a run. A later run may lead to a newer conclusion about an earlier one. */
export interface RunVerdict {
  readonly runId: string;
  readonly atMs: number;
  readonly verdict: Verdict;
  /** One sentence with value and bound. */
  readonly reason: string;
  readonly findings: readonly ClassifyFinding[];
  /** The baseline it was held against; absent when there was none. */
  readonly baselineId?: string;
  /**
   * Whose result was judged. What the loop concluded may be judged just before the pod's own result
   * comes in; that one then still waits for its verdict. @default the one that counts when recorded
   */
  readonly about?: ResultOrigin;
}

/** A run with everything known about it. */
export interface RunRecord {
  readonly intent: RunIntent;
  /** Undefined while it is open. */
  readonly result: (RunResult & { readonly origin: ResultOrigin }) | undefined;
  /** The newest; undefined while nobody has judged it. */
  readonly verdict: RunVerdict | undefined;
}

/** A run without a result. */
export interface OpenRun {
  readonly intent: RunIntent;
  /** When its job was seen to be accepted by the cluster; undefined when that is not known. */
  readonly submittedAtMs: number | undefined;
  /** When its job was first seen running. */
  readonly runningAtMs: number | undefined;
  /** When the loop asked for its end, and why. */
  readonly cancelling:
    | { readonly atMs: number; readonly reason: string; readonly outcome: RunOutcome }
    | undefined;
}
