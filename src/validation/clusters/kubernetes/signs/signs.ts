import type { Sign } from "../../cluster.ts";
import type { NodeSummary } from "../discovery/project-node.ts";
import type { PodSummary } from "../discovery/project-pod.ts";

/** What a change of a pod tells of its node's health. */
export function podSigns(
  before: PodSummary | undefined,
  pod: PodSummary,
  nowMs: number,
): readonly Sign[] {
  const { crashes, node } = pod;
  if (crashes?.crash === undefined || node === "") return [];
  if (crashes.ends <= (before?.crashes?.ends ?? 0)) return [];
  return [{ kind: "crash", atMs: crashes.crash.atMs ?? nowMs, node, job: crashes.job }];
}

/** What a change of a node tells of its health. A node made anew under its name counts as repaired. */
export function nodeSigns(
  before: NodeSummary | undefined,
  node: NodeSummary,
  nowMs: number,
): readonly Sign[] {
  const signs: Sign[] = [];
  const { name, xid, repaired } = node;
  const newXid = xid?.number !== before?.xid?.number || xid?.atMs !== before?.xid?.atMs;
  if (xid !== undefined && newXid) {
    signs.push({ kind: "kernel", atMs: xid.atMs ?? nowMs, node: name, xid: xid.number });
  }
  if (before === undefined) return signs;
  const marked = repaired !== undefined && repaired !== before.repaired;
  if (marked || node.uid !== before.uid) signs.push({ kind: "repair", atMs: nowMs, node: name });
  return signs;
}

const nodesMax = 100_000;

/** Nodes as they were last seen, those that left included: one that comes back is a new one. */
export class NodeMemory {
  readonly #nodes = new Map<string, NodeSummary>();

  /** Takes note of a node; returns how it was before. */
  swap(node: NodeSummary): NodeSummary | undefined {
    const before = this.#nodes.get(node.name);
    if (before === undefined && this.#nodes.size >= nodesMax) this.#nodes.clear();
    this.#nodes.set(node.name, node);
    return before;
  }
}
