import type { RunPurpose } from "../../run.ts";
import type { Refusal } from "./refusal.ts";
import { lengthOf } from "./words.ts";

/** Leaves a node alone for a while after a run, however that ended; a retest has its own wait. */
export function cooldownRail(run: {
  readonly nowMs: number;
  readonly purpose: RunPurpose;
  readonly lastEndedAtMs: number | undefined;
  readonly cooldownMs: number;
}): Refusal | undefined {
  const { nowMs, purpose, lastEndedAtMs, cooldownMs } = run;
  if (purpose === "retest" || lastEndedAtMs === undefined) return undefined;
  const leftMs = lastEndedAtMs + cooldownMs - nowMs;
  if (leftMs <= 0) return undefined;
  const reason = () =>
    `its last run ended ${lengthOf(nowMs - lastEndedAtMs)} ago; it is left alone for ${lengthOf(cooldownMs)}, ${lengthOf(leftMs)} more`;
  return { rail: "cooldown", reason };
}
