import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { countOf } from "../../format.ts";

type Predicted = HardwareFaultView["predicted"][number];

/** How a prediction came out, in a word and a sign: nothing is told by colour alone. */
export function agreement({ agrees, observed }: Predicted): {
  readonly sign: string;
  readonly word: string;
  readonly tone: "pass" | "fail" | "unknown";
} {
  if (agrees === true) return { sign: "✓", word: "as predicted", tone: "pass" };
  if (agrees === false) return { sign: "✗", word: "otherwise", tone: "fail" };
  const word = observed === null ? "not seen yet" : "cannot be told";
  return { sign: "?", word, tone: "unknown" };
}

/** `2 of 3 as predicted, 1 open`; a fault without predictions says so. */
export function agreementSummary(predicted: readonly Predicted[]): string {
  if (predicted.length === 0) return "nothing was predicted";
  const good = predicted.filter(({ agrees }) => agrees === true).length;
  const bad = predicted.filter(({ agrees }) => agrees === false).length;
  const open = predicted.length - good - bad;
  const parts = [`${good} of ${predicted.length} as predicted`];
  if (bad > 0) parts.push(`${bad} otherwise`);
  if (open > 0) parts.push(`${open} open`);
  return parts.join(", ");
}

/** It was to be undone and something of it may still be there, whether it is tried again or given up. */
export function isLeft(fault: Pick<HardwareFaultView, "isLive" | "state" | "left">): boolean {
  return fault.state === "revert-failed" || (!fault.isLive && fault.left.length > 0);
}

/** What is broken by us: faults in force, and those that could not be undone. */
export function brokenNow(live: number, left: number): string {
  const parts = [
    ...(live > 0 ? [`${countOf(live, "fault")} in force`] : []),
    ...(left > 0 ? [`${countOf(left, "fault")} not wholly undone`] : []),
  ];
  return parts.length === 0 ? "Nothing is broken by us" : `● ${parts.join(", ")}`;
}

export type Lease =
  | { readonly kind: "none" }
  | { readonly kind: "runs"; readonly leftMs: number; readonly by: "lease" | "expiry" }
  | { readonly kind: "over"; readonly by: "lease" | "expiry" };

/** Which end comes first: that of the lease nobody renews, or the expiry nobody can move. */
export function leaseOf(
  fault: Pick<HardwareFaultView, "isLive" | "leaseUntil" | "expiresAt">,
  nowMs: number,
): Lease {
  if (!fault.isLive) return { kind: "none" };
  const lease = fault.leaseUntil === null ? Number.NaN : Date.parse(fault.leaseUntil);
  const expiry = Date.parse(fault.expiresAt);
  const by = !Number.isNaN(lease) && !(lease > expiry) ? "lease" : "expiry";
  const endMs = by === "lease" ? lease : expiry;
  if (Number.isNaN(endMs)) return { kind: "none" };
  return endMs > nowMs ? { kind: "runs", leftMs: endMs - nowMs, by } : { kind: "over", by };
}

/** `undone in 4:05 unless renewed`, `overdue: its lease has run out`. */
export function leaseText(lease: Lease): string {
  if (lease.kind === "none") return "";
  if (lease.kind === "over") {
    const what = lease.by === "lease" ? "its lease has run out" : "its time is up";
    return `overdue: ${what} and it is not undone yet`;
  }
  const clock = clockText(lease.leftMs);
  return lease.by === "lease" ? `undone in ${clock} unless renewed` : `undone in ${clock}`;
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
