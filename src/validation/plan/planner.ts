import type { ClusterNode } from "../clusters/cluster.ts";
import type { NodeEvent } from "../history/history.ts";
import type { LatestStatus } from "../prioritize/index.ts";
import type { OpenRun, RunPurpose } from "../run.ts";

/** A run that ought to be made whatever the policy says. */
export interface WantedRun {
  readonly node: string;
  readonly check: string;
  readonly purpose: Exclude<RunPurpose, "routine">;
  readonly reason: string;
  /** Not before this time. */
  readonly notBeforeMs: number;
}

/** Everything a plan is made from. */
export interface PlanInput {
  readonly nowMs: number;
  /** All nodes, free or not. */
  readonly nodes: readonly ClusterNode[];
  readonly latest: LatestStatus;
  readonly open: readonly OpenRun[];
  /** When the newest run of each node ended. */
  readonly lastEndedAtMs: ReadonlyMap<string, number>;
  /** GPU-hours begun since midnight UTC. */
  readonly gpuHoursToday: number;
  /** Retests and acceptances, most urgent first. */
  readonly wanted: readonly WantedRun[];
}

/** A run to begin now. */
export interface PlannedRun {
  readonly node: ClusterNode;
  readonly check: string;
  readonly purpose: RunPurpose;
  readonly reason: string;
  readonly gpuHours: number;
  readonly fileSystem: string;
}

/** A run that is due and is not begun. */
export interface PostponedRun {
  readonly node: string;
  /** Undefined when it is about the node as a whole. */
  readonly check: string | undefined;
  /** The guard rail: `cooldown`, `rack`, `file-system`, `budget`, `quiet-hours`, `limit`, `not-free`. */
  readonly rail: string;
  readonly reason: string;
}

export interface Plan {
  readonly chosen: readonly PlannedRun[];
  /** Due, and why not now; at most 1,000 are listed. */
  readonly postponed: readonly PostponedRun[];
}

/**
 * Chooses what to begin. Pure but for what it has learned from `observe`: a new planner that is fed
 * the same history chooses the same.
 */
export interface Planner {
  /** Takes note of what happened to nodes, in order of time. */
  observe(events: readonly NodeEvent[]): void;
  /** Takes note of a run that ended; `found` when its verdict is `fail`. */
  observeRun(run: {
    readonly node: string;
    readonly check: string;
    readonly endedAtMs: number;
    readonly outcome: "passed" | "found" | "no-result";
  }): void;
  /** What to begin now, most urgent first; never more than the guard rails leave room for. */
  plan(input: PlanInput): Plan;
}
