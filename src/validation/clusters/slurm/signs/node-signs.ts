import type { SlurmNode, SlurmNodeEvent } from "../../../../platform/slurm/index.ts";
import type { Sign } from "../../cluster.ts";
import { xidIn } from "../../xid-in-text.ts";
import { isDrained } from "../discovery/node-states.ts";
import { isTesserasReason } from "./our-traces.ts";

/** What is kept of a node between two looks. */
export interface NodeTrace {
  readonly drainedByOthers: boolean;
  readonly bootAtMs: number | undefined;
  /** The newest driver error that was told of. */
  readonly kernel: { readonly xid: number; readonly atMs: number } | undefined;
}

/** Times of one boot differ by a little from look to look. */
const bootToleranceMs = 5 * 60_000;
/** Told twice within this, by the node and by accounting, it is one error. */
const sameErrorMs = 10 * 60_000;

/**
 * What the drains and downs of a node by others, and its boots, tell of its health; others are also not the
 * gate and the experiments of ours. A driver error in
 * a reason is one. A node that comes back from such a drain, or boots, may have been repaired; a drain
 * by itself says no more than that, for while it lasts nothing is decided about the node.
 *
 * @param events what accounting keeps of this node, oldest first; none where there is no accounting.
 */
export function nodeSigns(
  before: NodeTrace | undefined,
  node: SlurmNode,
  given: {
    readonly events: readonly SlurmNodeEvent[];
    readonly accounted: boolean;
    readonly cluster: string;
    readonly nowMs: number;
  },
): { readonly signs: readonly Sign[]; readonly trace: NodeTrace } {
  const { events, accounted, cluster, nowMs } = given;
  const { name, bootAtMs } = node;
  const signs: Sign[] = [];
  let kernel = before?.kernel;
  const told = [
    ...events.map(({ reason, startAtMs }) => ({ reason, atMs: startAtMs })),
    { reason: node.reason, atMs: node.reasonAtMs ?? nowMs },
  ];
  for (const { reason, atMs } of told) {
    const xid = isTesserasReason(cluster, reason) ? undefined : xidIn(reason);
    if (xid === undefined || isSame(kernel, { xid, atMs }, node)) continue;
    kernel = { xid, atMs };
    signs.push({ kind: "kernel", atMs, node: name, xid });
  }
  const drainedByOthers = isDrained(node) && !isTesserasReason(cluster, node.reason);
  for (const { state, reason, endAtMs } of events) {
    if (endAtMs === undefined || !state.includes("DRAIN") || isTesserasReason(cluster, reason))
      continue;
    signs.push({ kind: "repair", atMs: endAtMs, node: name });
  }
  if (before !== undefined && !accounted && before.drainedByOthers && !isDrained(node)) {
    signs.push({ kind: "repair", atMs: nowMs, node: name });
  }
  const bootedMs = bootAtMs === undefined ? 0 : bootAtMs - (before?.bootAtMs ?? bootAtMs);
  if (bootAtMs !== undefined && bootedMs > bootToleranceMs) {
    signs.push({ kind: "repair", atMs: bootAtMs, node: name });
  }
  // One boot time stays the measure for the little differences after it.
  const kept = bootedMs > bootToleranceMs ? bootAtMs : (before?.bootAtMs ?? bootAtMs);
  return { signs, trace: { drainedByOthers, bootAtMs: kept, kernel } };
}

/** A reason without a time of its own is news only once. */
function isSame(
  known: NodeTrace["kernel"],
  now: { readonly xid: number; readonly atMs: number },
  node: SlurmNode,
): boolean {
  if (known?.xid !== now.xid) return false;
  return node.reasonAtMs === undefined || Math.abs(now.atMs - known.atMs) < sameErrorMs;
}
