import type { ClusterNode } from "../../clusters/cluster.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Refuses a node that cannot be tested now. One that awaits acceptance is closed to users by us,
 * which does not close it to tests.
 */
export function notFreeRail(node: ClusterNode): Refusal | undefined {
  const reasons = node.awaitsAcceptance
    ? node.notFree.filter(({ code }) => code !== "cordoned")
    : node.notFree;
  const [first] = reasons;
  if (first === undefined) return undefined;
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : "";
  return { rail: "not-free", reason: () => `${first.text}${more}` };
}
