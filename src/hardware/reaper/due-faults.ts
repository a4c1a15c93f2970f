import {
  type EndReason,
  type HardwareFault,
  isLive,
  type StateChange,
  type UndoEntry,
} from "../objects/index.ts";
import { controlSkewMs } from "../undo/index.ts";

/** A fault that has to be taken back now, and why it ended. */
export interface DueFault {
  readonly fault: HardwareFault;
  readonly reason: EndReason;
}

export interface DueOptions {
  /** Which faults this reaper looks after. */
  readonly owns: (fault: HardwareFault) => boolean;
  /** Whether it can disarm this block itself. */
  readonly disarms: (entry: UndoEntry) => boolean;
  /** Its own name: what it began itself it goes on with at once. */
  readonly by: string;
}

/** Who claims a fault and is silent for longer is taken for dead. */
export const claimMs = 2_000;
const pauseMsMax = 30_000;

/** Which faults this reaper takes back now. */
export function dueFaults(
  faults: readonly HardwareFault[],
  nowMs: number,
  options: DueOptions,
): readonly DueFault[] {
  return faults.flatMap((fault) => {
    const reason = options.owns(fault) ? endReasonOf(fault, nowMs) : undefined;
    return reason !== undefined && mayClaim(fault, nowMs, options) ? [{ fault, reason }] : [];
  });
}

/** Why a fault ends; undefined: it goes on, or is over. */
export function endReasonOf(fault: HardwareFault, nowMs: number): EndReason | undefined {
  const { metadata, spec, status } = fault;
  if (!isLive(fault)) return undefined;
  if (status?.end !== undefined) return status.end.reason;
  if (metadata.deletionTimestamp !== undefined) return "deleted";
  if (nowMs >= Date.parse(spec.expiresAt)) return "expired";
  return nowMs >= leaseUntilMs(fault) ? "lease-missed" : undefined;
}

/** When the lease ends; one whose status nobody could write began when it was made. */
export function leaseUntilMs({ metadata, spec, status }: HardwareFault): number {
  if (status !== undefined) return Date.parse(status.leaseUntil);
  return Date.parse(metadata.creationTimestamp ?? spec.expiresAt) + spec.leaseSeconds * 1_000;
}

/** The entry that is taken back next: from the last to the first. */
export function nextEntry(
  fault: HardwareFault,
): { readonly index: number; readonly entry: UndoEntry } | undefined {
  const undo = fault.status?.undo ?? [];
  const index = undo.findLastIndex(({ doneAt }) => doneAt === undefined);
  const entry = undo[index];
  return entry === undefined ? undefined : { index, entry };
}

/** True when this reaper can take the entry back at all, now. */
export function canTakeBack(
  fault: HardwareFault,
  entry: UndoEntry,
  nowMs: number,
  disarms: DueOptions["disarms"],
): boolean {
  if (entry.kind !== "control" || disarms(entry)) return true;
  return nowMs >= leaseUntilMs(fault) + controlSkewMs;
}

function mayClaim(fault: HardwareFault, nowMs: number, { by, disarms }: DueOptions): boolean {
  const next = nextEntry(fault);
  if (next !== undefined && !canTakeBack(fault, next.entry, nowMs, disarms)) return false;
  const { state, history = [] } = fault.status ?? {};
  const last = history.at(-1);
  if (last === undefined) return true;
  if (state === "reverting") return last.by === by || nowMs - lastSignMs(fault, last) > claimMs;
  if (state === "revert-failed") return nowMs - Date.parse(last.at) >= pauseMs(failuresIn(history));
  return true;
}

/** Longer after every failure. */
export function pauseMs(failures: number): number {
  return Math.min(pauseMsMax, 1_000 * 2 ** Math.max(0, failures - 1));
}

/** The last sign of life of whoever takes the fault back. */
function lastSignMs({ status }: HardwareFault, last: StateChange): number {
  const signs = (status?.undo ?? []).flatMap(({ doneAt }) =>
    doneAt === undefined ? [] : [doneAt],
  );
  return Math.max(...[last.at, ...signs].map((at) => Date.parse(at)));
}

function failuresIn(history: readonly StateChange[]): number {
  return history.filter(({ state }) => state === "revert-failed").length;
}
