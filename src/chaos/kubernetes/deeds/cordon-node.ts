import { resourceTypes } from "../../../platform/kube/index.ts";
import type { Deed } from "../../live/index.ts";
import { marks, type NodeObject } from "../objects.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed.ts";

/** Closes a node for new pods. */
export async function cordonNode(
  { client, run, leaseUntilMs }: DeedContext,
  node: string,
): Promise<Deed> {
  const read = () => client.get<NodeObject>(resourceTypes.nodes, { name: node });
  const { spec, metadata } = await read();
  const wasUnschedulable = spec?.unschedulable === true;
  const other = metadata.annotations?.[marks.run];
  if (other !== undefined) throw new Error(`node ${node} is in the hands of run ${other}`);
  return {
    target: `node ${node}`,
    undo: undoes.cordon({ node, run, wasUnschedulable }),
    act: async ({ dryRun }) => {
      const annotations = {
        [marks.run]: run,
        [marks.leaseUntil]: String(leaseUntilMs()),
        [marks.wasUnschedulable]: String(wasUnschedulable),
      };
      const { resourceVersion } = metadata;
      const merge = { metadata: { annotations, resourceVersion }, spec: { unschedulable: true } };
      await client.patch(resourceTypes.nodes, { name: node }, { merge }, { dryRun });
    },
    see: async () => {
      // A node that was closed before shows nothing of us.
      if (wasUnschedulable) return { why: `node ${node} took no pods before` };
      return (await read()).spec?.unschedulable === true
        ? { effect: `node ${node} takes no pods` }
        : { why: `node ${node} still takes pods` };
    },
  };
}
