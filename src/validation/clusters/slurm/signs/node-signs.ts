import type { SlurmNode, SlurmNodeEvent } from "../../../../platform/slurm/index.ts";
import type { Sign } from "../../cluster.ts";
import { xidIn } from "../../xid-in-text.ts";
import { isDrained } from "../discovery/node-states.ts";
import { isAcceptanceWish } from "../names.ts";
import { isTesserasReason } from "./our-traces.ts";

/** What is kept of a node between two looks. */
export interface NodeTrace {
  readonly drainedByOthers: boolean;
  readonly bootAtMs: number | undefined;
  /** The newest driver error that was told of. */
  readonly kernel: DriverError | undefined;
}

interface DriverError {
  readonly xid: number;
  readonly atMs: number;
  /** Whether the time is that of the error, and not only of the look that saw it. */
  readonly isDated: boolean;
}

interface Told {
  readonly signs: readonly Sign[];
  readonly trace: NodeTrace;
}

/** Times of one boot differ by a little from look to look. */
const bootToleranceMs = 5 * 60_000;
/** An event that begins so soon after the end of another is the same drain, told anew. */
const atOnceMs = 5_000;
/** Told twice within this, by the node and by accounting, it is one error. */
const sameErrorMs = 10 * 60_000;

/**
 * What the drains and downs of a node by others, and its boots, tell of its health; others are also not the
 * gate and the experiments of ours. A driver error in a reason is one. A node that comes back from such a
 * drain, or boots, may have been repaired; a drain by itself says no more than that, for while it lasts
 * nothing is decided about the node.
 */
export function nodeSigns(
  before: NodeTrace | undefined,
  node: SlurmNode,
  given: { readonly accounted: boolean; readonly cluster: string; readonly nowMs: number },
): Told {
  const { accounted, cluster, nowMs } = given;
  const { name, reason, reasonAtMs, bootAtMs } = node;
  const signs: Sign[] = [];
  const isOthers = !isTesserasReason(cluster, reason);
  const error = errorIn(isOthers ? reason : "", {
    atMs: reasonAtMs ?? nowMs,
    isDated: reasonAtMs !== undefined,
  });
  const isNews = error !== undefined && !isSame(before?.kernel, error);
  if (isNews) signs.push({ kind: "kernel", atMs: error.atMs, node: name, xid: error.xid });
  // The end of a drain is told more exactly by accounting.
  if (before !== undefined && !accounted && before.drainedByOthers && !isDrained(node)) {
    signs.push({ kind: "repair", atMs: nowMs, node: name });
  }
  const bootedMs = bootAtMs === undefined ? 0 : bootAtMs - (before?.bootAtMs ?? bootAtMs);
  if (bootAtMs !== undefined && bootedMs > bootToleranceMs) {
    signs.push({ kind: "repair", atMs: bootAtMs, node: name });
  }
  // One boot time stays the measure for the little differences after it.
  const kept = bootedMs > bootToleranceMs ? bootAtMs : (before?.bootAtMs ?? bootAtMs);
  const kernel = isNews ? error : before?.kernel;
  return {
    signs,
    trace: { drainedByOthers: isDrained(node) && isOthers, bootAtMs: kept, kernel },
  };
}

/** The same of what accounting keeps of one node, oldest first. */
export function eventSigns(
  before: NodeTrace,
  events: readonly SlurmNodeEvent[],
  cluster: string,
): Told {
  const signs: Sign[] = [];
  let { kernel } = before;
  for (const event of events) {
    const { node, state, reason, startAtMs, endAtMs } = event;
    if (isTesserasReason(cluster, reason)) continue;
    const error = errorIn(reason, { atMs: startAtMs, isDated: true });
    if (error !== undefined && !isSame(kernel, error)) {
      signs.push({ kind: "kernel", atMs: error.atMs, node, xid: error.xid });
      if (kernel === undefined || kernel.atMs <= error.atMs) kernel = error;
    }
    if (endAtMs !== undefined && state.includes("DRAIN") && !goesOn(event, events)) {
      signs.push({ kind: "repair", atMs: endAtMs, node });
    }
  }
  return { signs, trace: { ...before, kernel } };
}

/**
 * Whether a node stays closed though an event of it has ended. Slurm ends one and begins the next whenever the
 * state or the reason changes, and for all nodes when the cluster's resources do. To be asked to accept the node
 * is to get it back.
 */
function goesOn(ended: SlurmNodeEvent, events: readonly SlurmNodeEvent[]): boolean {
  const endAtMs = ended.endAtMs ?? Number.POSITIVE_INFINITY;
  return events.some(
    (next) =>
      next !== ended &&
      next.startAtMs >= endAtMs &&
      next.startAtMs - endAtMs <= atOnceMs &&
      !isAcceptanceWish(next.reason),
  );
}

function errorIn(reason: string, when: Omit<DriverError, "xid">): DriverError | undefined {
  const xid = xidIn(reason);
  return xid === undefined ? undefined : { xid, ...when };
}

/** A reason without a time of its own is news only once. */
function isSame(known: DriverError | undefined, now: DriverError): boolean {
  if (known?.xid !== now.xid) return false;
  return !known.isDated || !now.isDated || Math.abs(now.atMs - known.atMs) < sameErrorMs;
}
