import type { ResourceType } from "../../platform/kube/index.ts";
import type { WorkloadRef } from "./workload-ref.ts";

/** What was there before, exactly, and how it is put back. Written down before anything is changed. */
export type UndoEntry = (NodeUndo | WorkloadUndo | ControlUndo | ObjectUndo) & {
  /** Set by whoever took it back: RFC 3339. */
  readonly doneAt?: string;
  /** What was left alone, and why. */
  readonly left?: readonly string[];
};

/** A node as it was: what detectors change because of our line is put back, what others changed is not. */
export interface NodeUndo {
  readonly kind: "node";
  readonly node: string;
  readonly before: {
    readonly unschedulable: boolean;
    readonly taints: readonly NodeTaint[];
    /** Only those that detectors use, see `detectorKeys`; null: there was none. */
    readonly annotations: Readonly<Record<string, string | null>>;
    readonly labels: Readonly<Record<string, string | null>>;
    /** Conditions of detectors, by type: their status then; null: there was none. */
    readonly conditions: Readonly<Record<string, string | null>>;
  };
}

export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Values of a workload's object, by JSON pointer: what was there, and what we put there. */
export interface WorkloadUndo {
  readonly kind: "workload";
  readonly workload: WorkloadRef;
  readonly uid: string;
  readonly fields: readonly FieldUndo[];
}

export interface FieldUndo {
  /** `/spec/template/spec/containers/0/env` and so on. */
  readonly pointer: string;
  /** Absent: there was nothing. */
  readonly before?: unknown;
  /** Absent: we removed it. */
  readonly applied?: unknown;
}

/** A control block of the shim. It ends by itself when the lease does, even if nobody is left to disarm it. */
export interface ControlUndo {
  readonly kind: "control";
  readonly node: string;
  readonly scope: string;
}

/** An object that we made and that is deleted. */
export interface ObjectUndo {
  readonly kind: "object";
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
}
