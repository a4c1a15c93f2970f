import type { FaultName } from "../fault/fault-names.ts";
import type { Expectations } from "./expectations.ts";
import type { Probe } from "./probe.ts";
import type { Target } from "./target.ts";
import type { Trigger } from "./trigger.ts";
import type { Workload } from "./workload.ts";

/**
 * An experiment resolved: nothing is left to chance, to a selector or to a default. It is plain JSON; it,
 * not the seed, is what is replayed and made smaller.
 */
export interface ChaosPlan {
  readonly format: "tessera-chaos-plan/1";
  readonly title: string;
  /** Of everything in the world that varies by chance: jitter, loss on a link, the failure model. */
  readonly seed: string;
  readonly workload: Workload;
  readonly fleet: Fleet;
  readonly timeouts: Timeouts;
  readonly faults: readonly PlannedFault[];
  readonly steadyState: readonly Probe[];
  readonly expect: Expectations;
  readonly limits: Limits;
  /** Bugs planted on purpose in the recovery code: such a plan is a canary and must fail. */
  readonly defects: readonly Defect[];
}

/** Machines of the world. Rank r starts on device r; spares come after all nodes that the job needs. */
export interface Fleet {
  readonly nodes: number;
  readonly devicesPerNode: number;
  readonly nodesPerRack: number;
  /** Whole nodes beside those that the job needs. */
  readonly spareNodes: number;
}

/** Each must be below the next one that could cut its recovery short: see `lintTimeouts`. */
export interface Timeouts {
  readonly heartbeatEveryUs: number;
  /** Silence after which a worker counts as lost. */
  readonly heartbeatUs: number;
  /** A rank waits so long in a collective before it says that it is in trouble. */
  readonly collectiveUs: number;
  readonly rendezvousUs: number;
  readonly saveUs: number;
  readonly loadUs: number;
  /** From the order to stop until a worker is killed. */
  readonly drainUs: number;
}

export interface PlannedFault {
  /** Unique in the plan, and kept when others are taken away. */
  readonly id: string;
  readonly fault: FaultName;
  /** As the catalogue's schema of this fault has them, complete. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly targets: readonly Target[];
  readonly trigger: Trigger;
  /** Then it is undone; null: it lasts until the run is over, or has nothing to undo. */
  readonly durationUs: number | null;
}

export interface Limits {
  /** The run is ended and judged then. In virtual time in the simulator. */
  readonly durationUs: number;
  /** Ranks (pods) that may be hit at once. */
  readonly targetsMax: number;
  /** Of the pods that the workload has when the run begins; ranks are counted when the plan is made. */
  readonly targetsPercent?: number;
  /** Ends the method early, undoes everything, and makes the outcome inconclusive. */
  readonly abortWhen: readonly Probe[];
}

export const defects = [
  /** The data cursor is restored one sample late. */
  "cursorOffByOne",
  /** Shards are not verified when they are loaded. */
  "acceptTornCheckpoint",
  /** The sum of gradients goes on without a rank that is late. */
  "ignoreRank",
  /** A fault that was undone stays in force. */
  "lostUndo",
] as const;
export type Defect = (typeof defects)[number];
