import assert from "node:assert/strict";
import { TesseraError } from "../../platform/errors/index.ts";
import type {
  EndReason,
  FaultState,
  HardwareFault,
  HardwareFaultSpec,
  HardwareFaultStatus,
  Sighting,
  StateChange,
  UndoEntry,
} from "../objects/index.ts";

/** Who changes a fault, and when. */
export interface Stamp {
  /** `fault-api`, `agent/<node>`, `runner/<run>`. */
  readonly by: string;
  readonly nowMs: number;
}

/** What may follow what; `reverting` follows itself when another reaper takes over. */
const followers: Readonly<Record<FaultState, readonly FaultState[]>> = {
  planned: ["armed", "failed", "reverting"],
  armed: ["injected", "reverting"],
  injected: ["observed", "reverting"],
  observed: ["reverting"],
  reverting: ["reverting", "revert-failed", "reverted", "failed"],
  "revert-failed": ["reverting"],
  reverted: [],
  failed: [],
};

const historyMax = 32;
const sightingsMax = 32;
const messageCharsMax = 1_000;

/** RFC 3339 with milliseconds. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The status of a fault that has none yet; its lease began when it was made. */
export function firstStatus(
  { spec, metadata }: Pick<HardwareFault, "spec" | "metadata">,
  stamp: Stamp,
): HardwareFaultStatus {
  const createdMs = Date.parse(metadata.creationTimestamp ?? "");
  const fromMs = Number.isNaN(createdMs) ? stamp.nowMs : createdMs;
  return {
    state: "planned",
    leaseUntil: timeOf(leaseEndMs(spec, fromMs)),
    history: [{ at: timeOf(stamp.nowMs), state: "planned", by: stamp.by }],
  };
}

/** The end of a lease that begins now. However often it is renewed, the fault's own end stays. */
export function leaseEndMs(
  { leaseSeconds, expiresAt }: Pick<HardwareFaultSpec, "leaseSeconds" | "expiresAt">,
  nowMs: number,
): number {
  return Math.min(nowMs + leaseSeconds * 1_000, Date.parse(expiresAt));
}

/** Its undo is written down: whoever carries it out may act. */
export function armed(
  status: HardwareFaultStatus,
  undo: readonly UndoEntry[],
  stamp: Stamp,
): HardwareFaultStatus {
  return moved({ ...notEnded(status, "armed", stamp), undo }, "armed", stamp);
}

/** It was carried out; undefined: that is known. What was seen before is counted now. */
export function injected(
  status: HardwareFaultStatus,
  stamp: Stamp,
): HardwareFaultStatus | undefined {
  if (status.state === "injected" || status.state === "observed") return undefined;
  const next = moved(notEnded(status, "injected", stamp), "injected", stamp);
  return (next.sightings ?? []).length === 0 ? next : moved(next, "observed", stamp);
}

/**
 * It cannot be carried out. One that was armed ends, and its undo is gone through first: nobody
 * knows how far it came. Undefined: it has ended already.
 */
export function failed(
  status: HardwareFaultStatus,
  message: string,
  stamp: Stamp,
): HardwareFaultStatus | undefined {
  if (status.end !== undefined || followers[status.state].length === 0) return undefined;
  const told = { ...status, message: shorten(message) };
  if (status.state === "planned") return moved(told, "failed", stamp);
  return ended(told, "not-carried-out", stamp);
}

/** Something was seen of it; undefined: that is known, or too late, or too much. */
export function sighted(
  status: HardwareFaultStatus,
  sighting: Sighting,
  stamp: Stamp,
): HardwareFaultStatus | undefined {
  const known = status.sightings ?? [];
  const isKnown = known.some(
    ({ by, what, detail }) =>
      by === sighting.by && what === sighting.what && detail === sighting.detail,
  );
  if (isKnown || known.length >= sightingsMax || followers[status.state].length === 0)
    return undefined;
  const next = { ...status, sightings: [...known, sighting] };
  const counts = status.state === "injected" && status.end === undefined;
  return counts ? moved(next, "observed", stamp) : next;
}

/** It shall end. Set once: undefined when somebody has decided that before. */
export function ended(
  status: HardwareFaultStatus,
  reason: EndReason,
  { by, nowMs }: Stamp,
): HardwareFaultStatus | undefined {
  if (status.end !== undefined || followers[status.state].length === 0) return undefined;
  return { ...status, end: { reason, at: timeOf(nowMs), by } };
}

/** Somebody takes it back from now on. */
export function claimed(
  status: HardwareFaultStatus,
  reason: EndReason,
  stamp: Stamp,
): HardwareFaultStatus {
  return moved(ended(status, reason, stamp) ?? status, "reverting", stamp);
}

/** One entry of the undo is done; the others wait. */
export function entryDone(
  status: HardwareFaultStatus,
  index: number,
  left: readonly string[],
  { nowMs }: Stamp,
): HardwareFaultStatus {
  assert(status.state === "reverting", "entries are done while the fault is taken back");
  const undo = (status.undo ?? []).map((entry, at) =>
    at === index
      ? { ...entry, doneAt: timeOf(nowMs), ...(left.length === 0 ? {} : { left }) }
      : entry,
  );
  return { ...status, undo };
}

/** Everything is back: the end. */
export function over(status: HardwareFaultStatus, stamp: Stamp): HardwareFaultStatus {
  const undo = status.undo ?? [];
  assert(
    undo.every(({ doneAt }) => doneAt !== undefined),
    "a fault is over when every entry of its undo is done",
  );
  const left = undo.flatMap((entry) => entry.left ?? []);
  const failedFirst = status.end?.reason === "not-carried-out";
  const { message, ...rest } = status;
  const words = [...(failedFirst && message !== undefined ? [message] : []), ...left].join("; ");
  const told = words === "" ? rest : { ...rest, message: shorten(words) };
  return moved(told, failedFirst ? "failed" : "reverted", stamp);
}

/** It could not be taken back this time. */
export function revertFailed(
  status: HardwareFaultStatus,
  message: string,
  stamp: Stamp,
): HardwareFaultStatus {
  return moved({ ...status, message: shorten(message) }, "revert-failed", stamp);
}

/** Its lease goes on; undefined: it goes on for longer already, or the fault has ended. */
export function renewed(
  spec: HardwareFaultSpec,
  status: HardwareFaultStatus,
  untilMs: number,
  stamp: Stamp,
): HardwareFaultStatus | undefined {
  if (status.end !== undefined || followers[status.state].length === 0) return undefined;
  const endMs = Math.min(untilMs, leaseEndMs(spec, stamp.nowMs));
  if (endMs <= Date.parse(status.leaseUntil)) return undefined;
  return { ...status, leaseUntil: timeOf(endMs) };
}

/** Its undo is another from now on; nothing that is still to be put back may be forgotten. */
export function amended(
  status: HardwareFaultStatus,
  undo: readonly UndoEntry[],
  stamp: Stamp,
): HardwareFaultStatus {
  const { undo: known = [] } = notEnded(status, "amended", stamp);
  assert(undo.length >= known.length, "an undo may grow, not shrink");
  return { ...status, undo };
}

/**
 * A fault that was renewed in time and that nobody has ended.
 *
 * @throws E_HW_REFUSED
 */
function notEnded(
  status: HardwareFaultStatus,
  wanted: string,
  { nowMs }: Stamp,
): HardwareFaultStatus {
  const { state, end, leaseUntil } = status;
  const what = `That the fault becomes ${wanted}`;
  if (end !== undefined)
    throw refused(what, `it has ended (${end.reason}, by ${end.by}) and is ${state}`);
  if (nowMs >= Date.parse(leaseUntil)) throw refused(what, `its lease ended at ${leaseUntil}`);
  return status;
}

function moved(
  status: HardwareFaultStatus,
  state: FaultState,
  { by, nowMs }: Stamp,
): HardwareFaultStatus {
  if (!followers[status.state].includes(state))
    throw refused(`That the fault becomes ${state}`, `it is ${status.state}`);
  assert(state !== "armed" || status.undo !== undefined, "a fault is armed with its undo");
  const change = { at: timeOf(nowMs), state, by };
  return { ...status, state, history: bounded([...(status.history ?? []), change]) };
}

/** The first says since when, the last ones where it stands. */
function bounded(history: readonly StateChange[]): readonly StateChange[] {
  if (history.length <= historyMax) return history;
  return [...history.slice(0, 1), ...history.slice(1 - historyMax)];
}

function refused(what: string, problem: string): TesseraError {
  return new TesseraError("E_HW_REFUSED", { what, problem });
}

function shorten(text: string): string {
  return text.length <= messageCharsMax ? text : `${text.slice(0, messageCharsMax - 1)}…`;
}
