import { createHash } from "node:crypto";

/** Names in the cluster that this room uses. */
export const marks = {
  /** On a node: it may be broken on purpose. Value `allowed`. */
  nodeOptIn: "tessera.dev/hardware-faults",
  /** On a namespace: its workloads may be tested. Value `allowed`. */
  namespaceOptIn: "tessera.dev/hardware-faults",
  optInValue: "allowed",
  /** On a node: our own detector has closed it; the value is the correlation id of the line. */
  cordonedBy: "tessera.dev/cordoned-for",
  /** On a workload and in its pod template while the shim is in: the fault's name. */
  passthrough: "tessera.dev/cuda-passthrough",
  /** A label of every object that a fault makes: the fault's name. */
  madeFor: "tessera.dev/fault",
} as const;

/** The condition that our own detector sets on a node. */
export const ownCondition = "TesseraXidError";

/** Where pods and agents find the shim and its control blocks. */
export const shimPaths = {
  /** On the node, written by the agent. */
  hostFolder: "/var/lib/tessera/cuda-fault",
  /** In pods, read-only. */
  podFolder: "/run/tessera/cuda-fault",
  library: "libtessera-cuda-fault.so",
  /** Below either folder: `scopes/<scope>/control`. */
  scopes: "scopes",
  control: "control",
} as const;

/** Of the pods that the shim is put into. */
export const shimVariables = {
  preload: "LD_PRELOAD",
  control: "TESSERA_CUDA_FAULT_CONTROL",
} as const;

/** A node's name as the value of a label; long names are cut and hashed. */
export function nodeLabelValue(node: string): string {
  if (node.length <= 63) return node;
  return `${node.slice(0, 40).replace(/[^a-z0-9]+$/, "")}-${createHash("sha256").update(node).digest("hex").slice(0, 16)}`;
}
