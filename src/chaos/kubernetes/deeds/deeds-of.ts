import assert from "node:assert/strict";
import type { Deed } from "../../live/index.ts";
import type { PlannedFault, Target } from "../../plan/index.ts";
import { breakHardware } from "./break-hardware.ts";
import { cordonNode } from "./cordon-node.ts";
import { cutPods } from "./cut-pods.ts";
import type { DeedContext } from "./deed.ts";
import { failNode } from "./fail-node.ts";
import { killPod } from "./kill-pod.ts";

/** What a fault comes down to in this cluster. */
export async function deedsOf(
  { id, fault, targets, params, durationUs }: PlannedFault,
  context: DeedContext,
): Promise<readonly Deed[]> {
  const names = targets.map(nameOf);
  switch (fault) {
    case "kill_pod": {
      const how = {
        by: params["by"] === "evict" ? ("evict" as const) : ("delete" as const),
        graceSeconds: Number(params["graceSeconds"]),
      };
      return names.map((name) => killPod(context, name, how));
    }
    case "cordon_node":
      return Promise.all(names.map((name) => cordonNode(context, name)));
    case "network_policy":
      return [cutPods(context, { id, pods: names, direction: String(params["direction"]) })];
    case "fail_node":
      return names.map((name) => failNode(context, name));
    case "gpu_xid":
    case "cuda_error": {
      const durationMs = durationUs === null ? null : durationUs / 1000;
      return names.map((node) => breakHardware(context, { id, fault, node, params, durationMs }));
    }
    default:
      assert.fail(`${fault} was refused`);
  }
}

export function targetText(target: Target): string {
  if (target.kind === "pod") return `pod ${target.namespace}/${target.name}`;
  return `node ${nameOf(target)}`;
}

function nameOf(target: Target): string {
  assert(target.kind === "pod" || target.kind === "kubernetes-node", "others were refused");
  return target.name;
}
