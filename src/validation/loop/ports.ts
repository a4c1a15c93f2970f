import type { Clock } from "../../platform/time/clock.ts";
import type { BatchEvent, Collect, JobWays, Pace } from "../batch/index.ts";
import type { Cluster, ClusterView } from "../clusters/cluster.ts";
import type { History } from "../history/history.ts";
import type { Leader, Leadership } from "../leadership/index.ts";
import type { Planner, PostponedRun, WantedRun } from "../plan/planner.ts";
import type { OpenRun, RunRecord, RunVerdict } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";

/**
 * Concludes from results. Called with the runs that have none yet, which may be none at all: what
 * is wanted is rebuilt from the history each time, so that nothing depends on this process's life.
 */
export type Judge = (input: {
  readonly newRuns: readonly RunRecord[];
  readonly nowMs: number;
}) => Promise<{
  /** Also newer conclusions about earlier runs. */
  readonly verdicts: readonly RunVerdict[];
  /** Retests and acceptances, most urgent first. */
  readonly wanted: readonly WantedRun[];
}>;

/** Does, or says, what follows for nodes. Each thing is done once however often it is asked for. */
export type Act = (input: {
  readonly view: ClusterView;
  readonly open: readonly OpenRun[];
  readonly nowMs: number;
}) => Promise<{
  /** Acceptances, most urgent first. */
  readonly wanted: readonly WantedRun[];
}>;

/** What a loop tells those who watch it. */
export type LoopEvent = { readonly cluster: string; readonly atMs: number } & (
  | BatchEvent
  /** Another loop leads; said once for each leader. */
  | { readonly type: "waiting"; readonly leader: Leader | undefined }
  | { readonly type: "leading"; readonly fence: number }
  | { readonly type: "lost" }
  /** Nothing new is begun; `open` runs are waited for. */
  | { readonly type: "draining"; readonly open: number }
  | { readonly type: "stopped"; readonly open: number }
  /** After each pass that changed something. */
  | { readonly type: "status"; readonly status: LoopStatus }
);

export type LoopState = "starting" | "waiting" | "leading" | "draining" | "stopped";

/** Where a loop stands now; counts and short lists only. */
export interface LoopStatus {
  readonly cluster: string;
  readonly state: LoopState;
  readonly leader: Leader | undefined;
  /** Undefined until the cluster has been seen. */
  readonly nodes:
    | { readonly total: number; readonly free: number; readonly underTest: number }
    | undefined;
  readonly inFlight: number;
  readonly inFlightMax: number;
  /** Runs without a result, oldest first; at most 100. */
  readonly open: readonly OpenRunStatus[];
  /** Due and not begun, at the last plan; at most 100. */
  readonly postponed: readonly PostponedRun[];
  /** What does not work now. */
  readonly troubles: readonly { readonly step: string; readonly problem: string }[];
}

export interface OpenRunStatus {
  readonly runId: string;
  readonly node: string;
  readonly check: string;
  readonly state: "planned" | "submitted" | "running" | "cancelling";
  readonly plannedAtMs: number;
}

export interface LoopOptions {
  readonly cluster: Cluster;
  readonly history: History;
  readonly settings: ValidationSettings;
  readonly leadership: Leadership;
  /** Makes a planner that knows the history; called at the start of each term of leading. */
  readonly planner: () => Promise<Planner>;
  readonly jobs: JobWays;
  /** @default results come by POST only */
  readonly collect?: Collect;
  /** @default verdicts are left to others */
  readonly judge?: Judge;
  /** @default nodes are left alone */
  readonly act?: Act;
  /** This machine's time. The cluster's own is used for everything about its runs. */
  readonly clock: Clock;
  readonly onEvent?: (event: LoopEvent) => void;
  /** A pass is made at least this often, by this machine's time. @default 5_000 */
  readonly tickEveryMs?: number;
  /** Passes are at least this far apart, however much happens. @default 100 */
  readonly tickGapMs?: number;
  /** Plans are at least this far apart while nothing ends. @default 1_000 */
  readonly planGapMs?: number;
  /** How long a single pass waits for the first view that can be trusted. @default 120_000 */
  readonly viewTimeoutMs?: number;
  /** How long a loop that drains waits for what is in flight. @default 1_800_000 */
  readonly drainTimeoutMs?: number;
  /** How long it waits for cancelled jobs to be gone. @default 60_000 */
  readonly cancelTimeoutMs?: number;
  readonly pace?: Partial<Pace>;
}

/** How a loop ended. */
export interface LoopSummary {
  /** The runs this loop saw end, with their verdicts as they stood then; at most 100,000. */
  readonly ended: readonly RunRecord[];
  /** Runs left without a result. */
  readonly open: number;
  /** Due and not begun, at the last plan. */
  readonly postponed: readonly PostponedRun[];
  /** True when it was told to stop before it had come to its end. */
  readonly interrupted: boolean;
}

/** What the next plan of a loop that leads will be made from. */
export interface Prospect {
  /** Asking it for a plan begins nothing and teaches it nothing. */
  readonly planner: Pick<Planner, "plan">;
  readonly wanted: readonly WantedRun[];
}

export interface Loop {
  /**
   * Runs until `signal` aborts; then drains: begins nothing, waits for what is in flight. Where
   * `cancel` aborts too, what is in flight is cancelled. Both waits are limited; what is left is
   * adopted by the next loop. Starts the cluster's looking; the cluster is the caller's to stop.
   *
   * @throws E_TIMEOUT when a single pass never got a view that can be trusted.
   */
  run(
    signal: AbortSignal,
    options?: {
      readonly cancel?: AbortSignal;
      /** One pass: what is due now on nodes that are free now, run to its end. @default false */
      readonly once?: boolean;
    },
  ): Promise<LoopSummary>;
  /** Something may have changed: a result came in. */
  wake(): void;
  status(): LoopStatus;
  /** Undefined while it does not lead. */
  prospect(): Prospect | undefined;
}
