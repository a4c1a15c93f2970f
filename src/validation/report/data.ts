import type { Provenance } from "../../platform/words.ts";
import type { LatestStatus } from "../prioritize/index.ts";
import type { RunRecord } from "../run.ts";

/** What a node is doing, as far as that matters for testing it. */
export type NodeState =
  | "free"
  /** Users' jobs hold it. */
  | "busy"
  /** It could not be tested even if nobody used it: not ready, closed, without GPUs. */
  | "untestable"
  /** A run of ours holds it. */
  | "under-test"
  /** Nobody has said. */
  | "unseen";

/** A node of the fleet. */
export interface ReportNode {
  readonly name: string;
  readonly sku: string;
  readonly rack: string;
  readonly state: NodeState;
  /** Why it is in this state, one sentence; "" when there is nothing to say. */
  readonly why: string;
}

/** A defect that a simulation knows of. */
export interface KnownDefect {
  readonly node: string;
  readonly kind: string;
  readonly onsetMs: number;
  /** When it was repaired; undefined while it is there. */
  readonly endMs: number | undefined;
}

/** Everything a report says about one cluster. All times are the cluster's own. */
export interface ClusterReportData {
  readonly cluster: string;
  /** What this cluster is, in words: `this machine`, `128 made-up nodes`. */
  readonly about: string;
  readonly provenance: Provenance;
  /** The window: from, inclusive, to, exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The checks each node should have. */
  readonly checks: readonly string[];
  readonly staleAfterDays: number;
  /** Infinity when there is no budget. */
  readonly gpuHoursPerDay: number;
  readonly nodes: readonly ReportNode[];
  /**
   * The runs planned in the window, in any order. Figures are those of runs that are shown, their
   * samples may be no more than the median.
   */
  readonly runs: readonly RunRecord[];
  /** How many runs of the window were left out because there are too many to read. */
  readonly runsLeftOut: number;
  readonly latest: LatestStatus;
  /** Only a simulation has this; undefined elsewhere. */
  readonly truth: readonly KnownDefect[] | undefined;
}
