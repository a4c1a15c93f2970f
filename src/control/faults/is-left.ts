import type { FaultView } from "../../hardware/api/index.ts";

/** True for faults of which something may stay that nobody wants. */
export function isLeft({ state, left }: Pick<FaultView, "state" | "left">): boolean {
  return state === "revert-failed" || left.length > 0;
}
