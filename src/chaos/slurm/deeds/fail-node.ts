import type { SlurmJob } from "../../../platform/slurm/index.ts";
import type { Deed } from "../../live/index.ts";
import { nodeOf, refuseClosed, refuseOthers } from "../guards.ts";
import { markOf, markText } from "../marks.ts";
import { holdsNodes, jobText, runOf } from "../pick-job.ts";
import { undoes } from "../undo.ts";
import { closeNode } from "./close-node.ts";
import type { DeedContext } from "./deed-context.ts";

/**
 * Takes a node away: what runs there is ended as when a node fails, and it takes nothing until it is given
 * back. Drained first, because a node that is only DOWN is back at once where `ReturnToService` says so.
 */
export function failNode(context: DeedContext, node: string): Deed {
  const { client, watch, run, untilMs } = context;
  let hit: SlurmJob | undefined;
  return {
    target: `node ${node}`,
    undo: undoes.release({ node, run, takesDown: true }),
    act: async ({ dryRun }) => {
      const view = await watch.lookAgain();
      refuseClosed(nodeOf(view, node));
      refuseOthers(view, node);
      if (dryRun) return;
      const closed = await closeNode(context, node);
      hit = closed.job?.nodes.includes(node) === true ? closed.job : undefined;
      await client.updateNode(node, { state: "DOWN", reason: markText({ run, untilMs }) });
    },
    see: async () => {
      const view = await watch.look();
      const now = nodeOf(view, node);
      if (markOf(now)?.run !== run) return { why: `node ${node} does not bear our mark` };
      if (hit === undefined) return { effect: `node ${node} takes no jobs` };
      const { job } = view;
      const stays =
        job !== undefined &&
        runOf(job) === runOf(hit) &&
        holdsNodes(job) &&
        job.nodes.includes(node);
      return stays
        ? { why: `${jobText(hit)} is still on node ${node}` }
        : { effect: `${jobText(hit)} lost node ${node}` };
    },
  };
}
