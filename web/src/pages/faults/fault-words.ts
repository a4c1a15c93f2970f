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

/** What is broken by us: faults in force, and those that could not be undone. Null: nobody can tell. */
export function brokenNow(live: number | null, left: number | null): string {
  if (live === null || left === null) return "? What is broken by us is not known";
  const parts = [
    ...(live > 0 ? [`${countOf(live, "fault")} in force`] : []),
    ...(left > 0 ? [`${countOf(left, "fault")} not wholly undone`] : []),
  ];
  return parts.length === 0 ? "Nothing is broken by us" : `● ${parts.join(", ")}`;
}
