import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { formatClockSeconds, formatMoment } from "../../format.ts";

type End = "lease" | "expiry";

export type Lease =
  | { readonly kind: "none" }
  | { readonly kind: "runs"; readonly leftMs: number; readonly by: End }
  | { readonly kind: "over"; readonly by: End }
  /** It should be over, and nobody has looked since. */
  | {
      readonly kind: "unknown";
      readonly endMs: number;
      readonly knownAtMs: number;
      readonly by: End;
    };

/** From where a lease is looked at. Moments are the server's. */
export interface LeaseView {
  readonly nowMs: number;
  /** When the answer came that has the fault. */
  readonly knownAtMs: number;
  /** Nothing comes from the server at the moment. */
  readonly isLost: boolean;
}

/** The page asks every 30 s: an answer that is much older says nothing of now. */
const freshMsMax = 45_000;
/** The server's own look may be some seconds old, and the clocks of two machines may differ by some. */
const sureAfterMs = 10_000;

/**
 * Which end comes first: that of the lease nobody renews, or the expiry nobody can move. A fault is overdue only
 * by an answer from after that end: renewals are not told of, so an older one cannot know.
 */
export function leaseOf(
  fault: Pick<HardwareFaultView, "isLive" | "leaseUntil" | "expiresAt">,
  { nowMs, knownAtMs, isLost }: LeaseView,
): Lease {
  if (!fault.isLive) return { kind: "none" };
  const lease = fault.leaseUntil === null ? Number.NaN : Date.parse(fault.leaseUntil);
  const expiry = Date.parse(fault.expiresAt);
  const by = !Number.isNaN(lease) && !(lease > expiry) ? "lease" : "expiry";
  const endMs = by === "lease" ? lease : expiry;
  if (Number.isNaN(endMs)) return { kind: "none" };
  if (endMs > nowMs) return { kind: "runs", leftMs: endMs - nowMs, by };
  const isFresh = !isLost && nowMs - knownAtMs <= freshMsMax;
  return isFresh && knownAtMs >= endMs + sureAfterMs
    ? { kind: "over", by }
    : { kind: "unknown", endMs, knownAtMs, by };
}

/** `undone in 4:05 unless renewed`, `overdue: its lease has run out`, `its lease ended at 12:01:00; not known since`. */
export function leaseText(lease: Lease, nowMs: number): string {
  if (lease.kind === "none") return "";
  const isLease = lease.by === "lease";
  if (lease.kind === "runs") {
    return `undone in ${clockText(lease.leftMs)}${isLease ? " unless renewed" : ""}`;
  }
  if (lease.kind === "over") {
    const what = isLease ? "its lease has run out" : "its time is up";
    return `overdue: ${what} and it is not undone yet`;
  }
  const ended = `${isLease ? "its lease ended" : "its time was up"} at ${whenText(lease.endMs, nowMs)}`;
  const open = isLease ? "whether it was renewed or undone" : "whether it was undone";
  return `${ended}; not known since ${whenText(lease.knownAtMs, nowMs)} ${open}`;
}

/** The time of day is enough for what was today. */
function whenText(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return isToday ? formatClockSeconds(atMs) : formatMoment(atMs);
}

/** `4:05`, `1:02:09`. */
export function clockText(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [
    Math.floor(total / 3600),
    Math.floor((total % 3600) / 60),
    total % 60,
  ];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
