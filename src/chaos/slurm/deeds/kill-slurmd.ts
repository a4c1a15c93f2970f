import assert from "node:assert/strict";
import type { Deed } from "../../live/index.ts";
import { nodeOf, refuseClosed, refuseOthers } from "../guards.ts";
import { undoes } from "../undo.ts";
import { closeNode } from "./close-node.ts";
import type { DeedContext } from "./deed-context.ts";

/** More than the controller takes to notice as clusters are set up (`SlurmdTimeout`, 300 s). */
const showsWithinMs = 400_000;

/**
 * Ends the daemon of a node, as the installation does it. Drained first: Slurm notices the silence late, and
 * would hand the node to others until then.
 */
export function killSlurmd(context: DeedContext, node: string): Deed {
  const { watch, daemonHook, run } = context;
  assert(daemonHook !== undefined, "without a hook this was refused");
  return {
    target: `node ${node}`,
    undo: undoes.release({ node, run, takesDown: false }),
    showsWithinMs,
    // The command is not Slurm's: it cannot be tried without being done.
    act: async ({ dryRun }) => {
      const view = await watch.lookAgain();
      refuseClosed(nodeOf(view, node));
      refuseOthers(view, node);
      if (dryRun) return;
      await closeNode(context, node);
    },
    // A daemon that somebody has stopped to repair its node is not ours to start: only one that we went on to stop.
    second: { undo: undoes.daemon({ node, run }), act: () => daemonHook.stop(node) },
    see: async () => {
      const { state, flags } = nodeOf(await watch.look(), node);
      const isSilent = flags.includes("NOT_RESPONDING");
      if (state !== "DOWN" && !isSilent) return { why: `Slurm calls node ${node} ${state}` };
      return { effect: `Slurm calls node ${node} ${isSilent ? "not responding" : "down"}` };
    },
  };
}
