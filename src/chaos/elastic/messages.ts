/**
 * The words between the coordinator of an elastic job and its workers; the same in the simulator, where
 * they are events, and on real sockets, where they are lines of JSON.
 */

/** A place for one worker: a device of the fleet, spares included. Its index over all nodes. */
export type Slot = number;

/** Which process of a slot is meant: the first one started there is 1. */
export interface WorkerName {
  readonly slot: Slot;
  readonly incarnation: number;
}

export type TroubleCause =
  /** A connection to another rank broke. */
  | "peer"
  /** An exchange did not end in time. */
  | "collective"
  /** Ranks entered different exchanges. */
  | "desync"
  /** This worker's own device. */
  | "device"
  /** Ranks that must hold the same hold something else. */
  | "comparison"
  /** A loss or a gradient that is no finite number. */
  | "numerics"
  | "memory"
  | "storage";

export type ToCoordinator =
  | { readonly type: "hello" }
  /** Sent again and again; `phase` is for people. */
  | {
      readonly type: "heartbeat";
      readonly generation: number;
      readonly step: number;
      readonly phase: string;
    }
  /** Has met all ranks of the generation. */
  | { readonly type: "joined"; readonly generation: number }
  | { readonly type: "restored"; readonly generation: number; readonly step: number }
  /** The checkpoint is not whole; an older one is wanted. */
  | {
      readonly type: "refused";
      readonly generation: number;
      readonly tag: string;
      readonly reason: string;
    }
  | { readonly type: "stepped"; readonly generation: number; readonly report: StepNews }
  | {
      readonly type: "save";
      readonly generation: number;
      readonly phase: "begun" | "committed" | "failed";
      readonly tag: string;
      readonly step: number;
      readonly reason?: string;
    }
  | {
      readonly type: "trouble";
      readonly generation: number;
      readonly cause: TroubleCause;
      /** Ranks that this worker holds responsible; none: it cannot tell. */
      readonly suspects: readonly number[];
      readonly reason: string;
    }
  /** Answer to `preempt`: begins no step after this one until it is told how far to go. */
  | { readonly type: "holding"; readonly generation: number; readonly step: number }
  /** Has stopped, as it was told to. */
  | { readonly type: "drained"; readonly generation: number }
  | { readonly type: "finished"; readonly generation: number; readonly stateDigest: string };

export interface StepNews {
  /** Steps done, this one included. */
  readonly step: number;
  readonly units: number;
  readonly samples: readonly [from: number, to: number];
  readonly loss: number;
}

export interface Assignment {
  readonly generation: number;
  readonly rank: number;
  readonly shape: { readonly dp: number; readonly tp: number; readonly pp: number };
  /** The worker of each rank. */
  readonly members: readonly WorkerName[];
}

export type ToWorker =
  | { readonly type: "assign"; readonly assignment: Assignment }
  /** Everybody has met: load this and train. Null: from the beginning. */
  | { readonly type: "restore"; readonly generation: number; readonly tag: string | null }
  /** Stop what you do, keep nothing of it, and say `drained`. */
  | { readonly type: "abort"; readonly generation: number; readonly reason: string }
  /**
   * Some of the job will be taken away. All must stop at the same step, which nobody knows yet: begin no
   * further one, and say in `holding` which one you are in.
   */
  | { readonly type: "preempt"; readonly graceUs: number }
  /** Go on until this step is done, save if asked to, and wait. */
  | {
      readonly type: "go-to";
      readonly generation: number;
      readonly step: number;
      readonly save: boolean;
    }
  | { readonly type: "stop"; readonly reason: string };

/** What the machines under the job tell the coordinator. */
export type PlatformNews =
  | { readonly type: "exited"; readonly worker: WorkerName; readonly how: string }
  /** It could not be started: the device or its node is not there. */
  | { readonly type: "unavailable"; readonly slot: Slot; readonly reason: string }
  | { readonly type: "node-lost"; readonly node: number }
  /** A slot, or all of a node, can be used again. */
  | { readonly type: "available"; readonly slots: readonly Slot[] }
  | { readonly type: "preempt-notice"; readonly slots: readonly Slot[]; readonly graceUs: number }
  | { readonly type: "operator"; readonly action: "resume" | "abort" };
