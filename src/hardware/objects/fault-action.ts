import type { WorkloadRef } from "./workload-ref.ts";

export const faultKinds = ["xid", "cuda", "passthrough", "partition"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What is done, and by whom: `xid` and `cuda` by the agent of the node, the others by the fault API. */
export type FaultAction = XidAction | CudaAction | PassthroughAction | PartitionAction;

/** Lines in the kernel log of a node. They stay there; what detectors do because of them is undone. */
export interface XidAction {
  readonly kind: "xid";
  readonly node: string;
  readonly gpu: GpuChoice;
  /** In this order; the first at once. */
  readonly lines: readonly XidLine[];
  /** In the text of every line, so that a sighting can be told from another's: 12 hex digits. */
  readonly correlationId: string;
}

export interface XidLine {
  readonly xid: number;
  /** After the line before. @default 0 */
  readonly delayMs?: number;
  /** The text after number, pid and name; the catalogue's own where absent. */
  readonly text?: string;
}

/** A GPU of a node: its number there, or its address `0000:3b:00`. */
export type GpuChoice = { readonly index: number } | { readonly pci: string };

/** CUDA calls of the pods of one workload on one node answer with an error. */
export interface CudaAction {
  readonly kind: "cuda";
  readonly node: string;
  /** Whose control block: see `scopeOf`. */
  readonly scope: string;
  readonly fault: CudaFault;
}

/** How CUDA calls go wrong. */
export interface CudaFault {
  readonly xid: number;
  /** CUDA's numbers of GPUs as the process counts them. @default all */
  readonly gpus?: readonly number[];
  /** So many calls go well first. @default 0 */
  readonly afterCalls?: number;
  /** So long calls go well first, from arming. @default 0 */
  readonly afterMs?: number;
  /** Of each call to fail; once one has, sticky errors stay. @default 1 */
  readonly probability?: number;
  /** Only slower, no error: added to each call. */
  readonly latencyUs?: number;
  /** Of the probability. @default 0 */
  readonly seed?: number;
}

/** The shim goes into the pods of a workload. Its pods are replaced: that is what the change of a template does. */
export interface PassthroughAction {
  readonly kind: "passthrough";
  readonly workload: WorkloadRef;
  readonly scope: string;
  /** Pods prefer this node while it is in force. */
  readonly preferNode?: string;
}

/** Pods are cut off by a NetworkPolicy, where the cluster's network enforces those. */
export interface PartitionAction {
  readonly kind: "partition";
  readonly namespace: string;
  /** The policy's name. */
  readonly policy: string;
  readonly podSelector: Readonly<Record<string, string>>;
  readonly direction: "ingress" | "egress" | "both";
  /** Pods of these labels stay reachable. @default none */
  readonly exceptPods?: Readonly<Record<string, string>>;
  /** Name resolution goes on. @default true */
  readonly allowDns?: boolean;
}

/** The node that a fault is on; a passthrough and a partition are on none. */
export function nodeOf(action: FaultAction): string | undefined {
  return "node" in action ? action.node : undefined;
}
