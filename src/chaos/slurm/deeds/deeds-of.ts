import assert from "node:assert/strict";
import type { Deed } from "../../live/index.ts";
import type { PlannedFault, Target } from "../../plan/index.ts";
import type { DeedContext } from "./deed-context.ts";
import { drainNode } from "./drain-node.ts";
import { failNode } from "./fail-node.ts";
import { killSlurmd } from "./kill-slurmd.ts";
import { killStep } from "./kill-step.ts";
import { requeueJob } from "./requeue-job.ts";

/** What a fault comes down to in Slurm. */
export async function deedsOf(
  { fault, targets, params }: PlannedFault,
  context: DeedContext,
): Promise<readonly Deed[]> {
  switch (fault) {
    case "kill_step":
      return [
        await killStep(context, {
          step: String(params["step"]),
          signal: String(params["signal"]),
        }),
      ];
    case "requeue_job":
      return [await requeueJob(context)];
    case "drain_node":
      return targets.map((target) => drainNode(context, nameOf(target)));
    case "fail_node":
      return targets.map((target) => failNode(context, nameOf(target)));
    case "kill_slurmd":
      return targets.map((target) => killSlurmd(context, nameOf(target)));
    default:
      assert.fail(`${fault} was refused`);
  }
}

export function targetText(target: Target): string {
  return target.kind === "slurm-job" ? "the job" : `node ${nameOf(target)}`;
}

function nameOf(target: Target): string {
  assert(target.kind === "slurm-node", "others were refused");
  return target.name;
}
