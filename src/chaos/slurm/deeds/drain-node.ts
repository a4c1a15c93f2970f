import type { Deed } from "../../live/index.ts";
import { nodeOf, refuseClosed } from "../guards.ts";
import { markOf, markText } from "../marks.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed-context.ts";

/** Closes a node for new jobs; those on it go on. */
export function drainNode({ client, watch, run, untilMs }: DeedContext, node: string): Deed {
  return {
    target: `node ${node}`,
    undo: undoes.release({ node, run, takesDown: false }),
    act: async ({ dryRun }) => {
      refuseClosed(nodeOf(await watch.lookAgain(), node));
      const reason = markText({ run, untilMs });
      if (!dryRun) await client.updateNode(node, { state: "DRAIN", reason });
    },
    see: async () => {
      const now = nodeOf(await watch.look(), node);
      return now.flags.includes("DRAIN") && markOf(now)?.run === run
        ? { effect: `node ${node} takes no jobs` }
        : { why: `node ${node} still takes jobs` };
    },
  };
}
