import { nodeOf, refuseOthers } from "../guards.ts";
import type { SlurmView } from "../job-watch.ts";
import { markOf, markText } from "../marks.ts";
import type { DeedContext } from "./deed-context.ts";

/**
 * Drains a node under our mark and looks again: whoever came since the last look is seen, and nobody comes
 * after this one.
 *
 * @throws Error where somebody else's job is on it, or somebody has given it another reason meanwhile
 */
export async function closeNode(
  { client, watch, run, untilMs }: DeedContext,
  node: string,
): Promise<SlurmView> {
  await client.updateNode(node, { state: "DRAIN", reason: markText({ run, untilMs }) });
  const closed = await watch.lookAgain();
  const { reason } = nodeOf(closed, node);
  if (markOf({ reason })?.run !== run) {
    throw new Error(`node ${node} no longer bears our mark: its reason is "${reason}"`);
  }
  refuseOthers(closed, node);
  return closed;
}
