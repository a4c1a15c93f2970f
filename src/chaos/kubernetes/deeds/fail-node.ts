import assert from "node:assert/strict";
import { isNotFound, resourceTypes } from "../../../platform/kube/index.ts";
import type { Deed } from "../../live/index.ts";
import { isNodeReady, type NodeObject } from "../objects.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed.ts";

/** Takes a whole node away, as the installation does it. */
export function failNode({ client, nodeHook }: DeedContext, node: string): Deed {
  assert(nodeHook !== undefined, "without a hook this was refused");
  return {
    target: `node ${node}`,
    undo: undoes.node(node),
    // The hook is not the API server's: it cannot be tried without being done.
    act: async ({ dryRun }) => {
      if (!dryRun) await nodeHook.stop(node);
    },
    see: async () => {
      try {
        const object = await client.get<NodeObject>(resourceTypes.nodes, { name: node });
        if (isNodeReady(object)) return { why: `Kubernetes calls node ${node} ready` };
        return { effect: `Kubernetes calls node ${node} not ready` };
      } catch (error) {
        if (isNotFound(error)) return { effect: `node ${node} is gone` };
        throw error;
      }
    },
  };
}
