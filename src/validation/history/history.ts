import type { JsonObject } from "../../platform/store/index.ts";
import type { RunOutcome } from "../../platform/words.ts";
import type { LatestStatus } from "../prioritize/index.ts";
import type {
  HandInWay,
  OpenRun,
  ResultOrigin,
  RunIntent,
  RunRecord,
  RunResult,
  RunVerdict,
} from "../run.ts";

/** What was noticed about a job between its plan and its result. */
export type RunNote =
  | { readonly phase: "submitted" | "running"; readonly atMs: number }
  | {
      readonly phase: "cancelling";
      readonly atMs: number;
      readonly reason: string;
      /** How the run ends if its pod hands in nothing. */
      readonly outcome: RunOutcome;
    };

export const nodeEventKinds = [
  "free",
  "busy",
  "crash",
  "kernel",
  "repair",
  "cordoned",
  "released",
  "override",
] as const;
export type NodeEventKind = (typeof nodeEventKinds)[number];

/** Something that happened to a node. */
export interface NodeEvent {
  readonly cluster: string;
  readonly node: string;
  readonly atMs: number;
  readonly kind: NodeEventKind;
  /** `{ job }` of a crash, `{ xid }` of a kernel error, `{ reason, actor, runIds }` of ours. */
  readonly details: JsonObject;
}

/** What `planRuns` needs to know before it lets a run be planned. */
export interface PlanGate {
  readonly cluster: string;
  /** The leader's fence: a plan with a smaller one than was seen before is refused whole. */
  readonly fence: number;
  /** Runs without a result at any time. */
  readonly inFlightMax: number;
}

export type PlanRefusal =
  /** Another leader has taken over. */
  | "superseded"
  /** As many runs as allowed are open. */
  | "limit"
  /** The node has an open run. */
  | "node-in-use";

/** Which runs to read. Bounds are inclusive below and exclusive above. */
export interface RunFilter {
  readonly cluster?: string | undefined;
  readonly node?: string | undefined;
  readonly check?: string | undefined;
  readonly plannedFromMs?: number | undefined;
  readonly plannedBeforeMs?: number | undefined;
  /** Newest first, at most this many. @default 10_000 */
  readonly limit?: number | undefined;
}

export const baselineStates = ["candidate", "active", "superseded", "rejected", "expired"] as const;
export type BaselineState = (typeof baselineStates)[number];

/** What is usual for a cohort, frozen at some time, with where it comes from. */
export interface Baseline {
  readonly id: string;
  readonly sku: string;
  readonly check: string;
  /** Empty for runs without one. */
  readonly cohort: string;
  readonly madeAtMs: number;
  readonly expiresAtMs: number;
  /** By figure: what the healthy runs showed. */
  readonly figures: Readonly<Record<string, BaselineFigure>>;
  /** Which runs it was learned from, which were left out and why, by which code. */
  readonly provenance: JsonObject;
}

export interface BaselineFigure {
  readonly higherIsBetter: boolean;
  readonly unit: string;
  /** Over nodes, each by its median run. */
  readonly median: number;
  /** Robust standard deviation over nodes. */
  readonly sigma: number;
  /** Robust standard deviation of a node's runs about its median; absent when none had several. */
  readonly runSigma?: number;
  /** The fifth worst percentile of samples within a run, in the middle over nodes. */
  readonly tail: number;
  readonly nodes: number;
  readonly runs: number;
}

/** A baseline and where it stands in its life. */
export interface BaselineRecord extends Baseline {
  readonly state: BaselineState;
  /** When, by whom and why it came into this state. */
  readonly changedAtMs: number;
  readonly actor: string;
  readonly reason: string;
}

/**
 * Everything that was planned, measured and concluded. Records are only ever added; what is newest
 * counts. Each method is one transaction, and what it wrote is durable when it resolves.
 */
export interface History {
  /**
   * Writes intents down in the order given, as far as the gate lets them; the same intent again is
   * planned again without a second record.
   */
  planRuns(
    gate: PlanGate,
    intents: readonly RunIntent[],
  ): Promise<{
    readonly planned: readonly RunIntent[];
    readonly refused: readonly { readonly intent: RunIntent; readonly why: PlanRefusal }[];
  }>;
  /** The runs of a cluster without a result, oldest first. */
  openRuns(cluster: string): Promise<readonly OpenRun[]>;
  /** Adds what was noticed about a run; the first of each phase counts. */
  noteRun(runId: string, note: RunNote): Promise<void>;
  /** The intent of a run; undefined when there is no such run. */
  findIntent(runId: string): Promise<RunIntent | undefined>;
  /**
   * Records how a run ended. The first result of each origin counts; later ones change nothing and
   * are answered `already`. For `pod`, the way it came is kept with the digest of what came.
   */
  recordResult(
    result: RunResult,
    from:
      | { readonly origin: "loop"; readonly atMs: number }
      | {
          readonly origin: "pod";
          readonly atMs: number;
          readonly way: HandInWay;
          /** SHA-256 of the document that was handed in. */
          readonly digest: string;
        },
  ): Promise<"recorded" | "already" | "no-such-run">;
  /** As `recordResult` for many at once, in one transaction; for imports. */
  recordRuns(
    runs: readonly {
      readonly intent: RunIntent;
      readonly result: RunResult;
      readonly origin: ResultOrigin;
      readonly verdict?: RunVerdict;
    }[],
  ): Promise<void>;
  recordVerdicts(verdicts: readonly RunVerdict[]): Promise<void>;
  /** Runs with a result and without a verdict, oldest first; at most `limit`. */
  unjudgedRuns(cluster: string, limit: number): Promise<readonly RunRecord[]>;
  /** Runs with all that is known about each, newest plan first. */
  runs(filter: RunFilter): Promise<readonly RunRecord[]>;
  /**
   * The seed's look-up: when each check last completed on each node of a cluster. The seed's
   * `get_db_latest_status`.
   */
  latestStatus(cluster: string, checks: readonly string[], nowMs: number): Promise<LatestStatus>;
  /** When the newest run of each node ended, whatever its outcome. */
  lastEndedAtMs(cluster: string): Promise<ReadonlyMap<string, number>>;
  /** GPU-hours of the runs planned at or after a time. */
  gpuHoursSince(cluster: string, fromMs: number): Promise<number>;
  recordNodeEvents(events: readonly NodeEvent[]): Promise<void>;
  /** Oldest first, at most `limit` of the newest. @default limit 100_000 */
  nodeEvents(filter: {
    readonly cluster: string;
    readonly node?: string;
    readonly kinds?: readonly NodeEventKind[];
    readonly fromMs?: number;
    readonly limit?: number;
  }): Promise<readonly NodeEvent[]>;
  saveBaseline(
    baseline: Baseline,
    by: { readonly actor: string; readonly reason: string },
  ): Promise<void>;
  changeBaseline(
    id: string,
    change: {
      readonly state: BaselineState;
      readonly atMs: number;
      readonly actor: string;
      readonly reason: string;
    },
  ): Promise<void>;
  /** Newest first. */
  baselines(filter: {
    readonly sku?: string;
    readonly check?: string;
    readonly cohort?: string;
    readonly state?: BaselineState;
    /** Only those behind this one. */
    readonly after?: { readonly madeAtMs: number; readonly id: string };
    readonly limit?: number;
  }): Promise<readonly BaselineRecord[]>;
}
