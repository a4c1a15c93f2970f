import type { NodeEvent } from "../history/history.ts";
import { deedsOf } from "./node-record.ts";

/** The nodes that people hold, each with who does and why: nothing is run there until they release it. */
export function heldNodes(events: readonly NodeEvent[]): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (const [node, { override }] of deedsOf(events)) {
    if (override?.action !== "hold") continue;
    held.set(node, `held by ${override.actor}: ${override.reason}`);
  }
  return held;
}
