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

/** What a single pass is about: nodes that were free when it began, each check on them once. */
export interface PassScope {
  includes(node: string): boolean;
  hasBegun(node: string, check: string): boolean;
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
  /** By name, nodes that people hold, and who does and why. @default none */
  readonly held?: ReadonlyMap<string, string>;
  /** What may be begun at all. @default everything */
  readonly scope?: PassScope;
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

/**
 * What keeps a run from being begun: `quiet-hours`, a time of day; `not-free`, the node's state;
 * `not-before`, the wait before a retest, until a wanted time, or after runs that came to nothing;
 * `cooldown`, the node's last run; `limit`, runs at once; `budget`, GPU-hours of the day; `rack` and
 * `file-system`, runs at once in one of them; `node`, another run of the same node that goes first;
 * `price`, the risk policy, which keeps GPU-hours back for what is worth more; `check`, one that cannot
 * run here.
 */
export const rails = [
  "quiet-hours",
  "not-free",
  "not-before",
  "cooldown",
  "limit",
  "budget",
  "rack",
  "file-system",
  "node",
  "price",
  "check",
] as const;
export type Rail = (typeof rails)[number];

/** A run that is due and is not begun. */
export interface PostponedRun {
  readonly node: string;
  /** Undefined when it is about the node as a whole. */
  readonly check: string | undefined;
  readonly rail: Rail;
  readonly reason: string;
}

export interface Plan {
  readonly chosen: readonly PlannedRun[];
  /** Due, and why not now; of each rail the first 1,000. */
  readonly postponed: readonly PostponedRun[];
  /** How many are postponed in all; of rails that keep something back. */
  readonly postponedByRail: ReadonlyMap<Rail, number>;
}

/** How many runs are due and not begun. */
export function postponedCount({ postponedByRail }: Pick<Plan, "postponedByRail">): number {
  return [...postponedByRail.values()].reduce((sum, count) => sum + count, 0);
}

/** A run that ended, as far as a planner learns from it. */
export interface EndedRun {
  readonly node: string;
  readonly check: string;
  readonly endedAtMs: number;
  /**
   * `found` when its verdict is `fail`; `no-result` when it says nothing about the node; `broken` when
   * it came to nothing with an error or a timeout; `cancelled` when it was not let come to anything, or
   * not begun in time.
   */
  readonly outcome: "passed" | "found" | "no-result" | "broken" | "cancelled";
}

/**
 * Chooses what to begin. Pure but for what it has learned from `observe`: a new planner that is fed
 * the same history chooses the same.
 */
export interface Planner {
  /** Takes note of what happened to nodes, in order of time. */
  observe(events: readonly NodeEvent[]): void;
  /** Takes note of a run that ended. */
  observeRun(run: EndedRun): void;
  /** What to begin now, most urgent first; never more than the guard rails leave room for. */
  plan(input: PlanInput): Plan;
}
