import type { WantedRun } from "../planner.ts";
import type { Refusal } from "./refusal.ts";
import { lengthOf } from "./words.ts";

/** A wanted run waits for its time; a retest also for the wait after the node's last run. */
export function notBeforeRail(
  wanted: WantedRun,
  at: {
    readonly nowMs: number;
    readonly lastEndedAtMs: number | undefined;
    readonly retestAfterMs: number;
  },
): Refusal | undefined {
  const { nowMs, lastEndedAtMs, retestAfterMs } = at;
  const afterLast =
    wanted.purpose === "retest" && lastEndedAtMs !== undefined
      ? lastEndedAtMs + retestAfterMs
      : Number.NEGATIVE_INFINITY;
  const leftMs = Math.max(wanted.notBeforeMs, afterLast) - nowMs;
  if (leftMs <= 0) return undefined;
  return {
    rail: "not-before",
    reason: () => `its ${wanted.purpose} waits ${lengthOf(leftMs)} more`,
  };
}
