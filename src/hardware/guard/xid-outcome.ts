import { nvSentinelActionOf, type RecommendedAction } from "../detectors/index.ts";
import type { XidAction } from "../objects/index.ts";

/** What NVSentinel makes of each line of a fault. The address does not matter for that. */
export function nvSentinelActions(action: XidAction): readonly RecommendedAction[] {
  return action.lines.map(({ xid, text }) => nvSentinelActionOf(xid, text));
}

/** True where NVSentinel would close the node. */
export function isFatal(action: XidAction): boolean {
  return nvSentinelActions(action).some((each) => each !== "NONE");
}
