import { backOffMs } from "../../back-off.ts";
import type { Setback } from "../setbacks.ts";
import type { Refusal } from "./refusal.ts";
import { lengthOf, runsOf } from "./words.ts";

/**
 * A check that came to nothing on a node is not begun again at once, and each time later: what broke
 * it most likely lasts, and other checks of the node wait for their turn.
 */
export function setbackRail(
  setback: Setback | undefined,
  at: { readonly nowMs: number; readonly retestAfterMs: number },
): Refusal | undefined {
  if (setback === undefined) return undefined;
  const { inARow, endedAtMs } = setback;
  const leftMs = endedAtMs + backOffMs(inARow, at.retestAfterMs) - at.nowMs;
  if (leftMs <= 0) return undefined;
  const reason = () =>
    `its last ${inARow === 1 ? "run" : runsOf(inARow)} came to nothing; it waits ${lengthOf(leftMs)} more`;
  return { rail: "not-before", reason };
}
