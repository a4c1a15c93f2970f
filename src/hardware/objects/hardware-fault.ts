import type { KubeObject, ResourceType } from "../../platform/kube/index.ts";
import type { FaultAction } from "./fault-action.ts";
import type { UndoEntry } from "./undo-entry.ts";

/** Where the API server keeps faults: in the namespace of the installation. */
export const hardwareFaults = {
  group: "tessera.dev",
  version: "v1alpha1",
  plural: "hardwarefaults",
  kind: "HardwareFault",
  namespaced: true,
} as const satisfies ResourceType;

/**
 * `planned`: written down; `armed`: its undo is written down too, whoever carries it out may act;
 * `injected`: carried out; `observed`: something in the cluster has seen it; `reverting`: being taken
 * back; the last two are ends. A fault whose end failed is taken up again by every reaper.
 */
export const faultStates = [
  "planned",
  "armed",
  "injected",
  "observed",
  "reverting",
  "revert-failed",
  "reverted",
  "failed",
] as const;
export type FaultState = (typeof faultStates)[number];

/** Why a fault is taken back. */
export const endReasons = [
  "requested",
  "lease-missed",
  "expired",
  "deleted",
  "not-carried-out",
] as const;
export type EndReason = (typeof endReasons)[number];

/** One fault of one test, kept by the API server until some time after it was taken back. */
export interface HardwareFault extends KubeObject {
  readonly spec: HardwareFaultSpec;
  readonly status?: HardwareFaultStatus;
}

/** What shall be broken. Never changes once it was written. */
export interface HardwareFaultSpec {
  /** Which test it belongs to; all faults of a run are renewed and taken back together. */
  readonly run: string;
  /** The user name that the API server knows the caller by. */
  readonly requestedBy: string;
  /** The namespace under test; rights and the allow-list are asked for it. */
  readonly namespace: string;
  readonly action: FaultAction;
  /** RFC 3339. However often the lease is renewed, it ends here. */
  readonly expiresAt: string;
  /** How long it lives without being renewed. */
  readonly leaseSeconds: number;
  /** The caller knows that a detector may really restart or replace the machine. */
  readonly allowRealReboot?: boolean;
}

export interface HardwareFaultStatus {
  readonly state: FaultState;
  /** RFC 3339 with milliseconds. Past it anybody may take the fault back. */
  readonly leaseUntil: string;
  /** Set once, by whoever decides that it ends. */
  readonly end?: { readonly reason: EndReason; readonly at: string; readonly by: string };
  /** Written before anything is changed; taken back from the last to the first. */
  readonly undo?: readonly UndoEntry[];
  /** What was seen of it, oldest first, at most 32. */
  readonly sightings?: readonly Sighting[];
  /** Every change of state, oldest first, at most 32. */
  readonly history?: readonly StateChange[];
  /** Why it is `failed` or `revert-failed`, or what was left alone because somebody else changed it. */
  readonly message?: string;
}

export interface Sighting {
  readonly at: string;
  /** Who saw it: `tessera`, `nvsentinel`, `fault-api`. */
  readonly by: string;
  /** What: `line`, `condition`, `cordon`, `drain`. */
  readonly what: string;
  readonly detail?: string;
}

export interface StateChange {
  readonly at: string;
  readonly state: FaultState;
  /** `fault-api`, `agent/<node>`, `runner/<run>`. */
  readonly by: string;
}

/** On every fault. */
export const faultLabels = {
  run: "tessera.dev/run",
  /** The node, hashed where its name is too long for a label: `nodeLabelValue`. */
  node: "tessera.dev/fault-node",
  kind: "tessera.dev/fault-kind",
} as const;

/** Keeps a fault until somebody has taken it back. */
export const undoFinalizer = "tessera.dev/undo";

/** True while something of it may be in force. */
export function isLive(fault: HardwareFault): boolean {
  const state = fault.status?.state ?? "planned";
  return state !== "reverted" && state !== "failed";
}
