import { type NodeObject, ownCondition } from "../../../../../src/hardware/objects/index.ts";
import { type KubeClient, resourceTypes } from "../../../../../src/platform/kube/index.ts";

/** What our own detector shows on a node. */
export interface Shown {
  readonly isClosed: boolean;
  /** Undefined where it has never shown any. */
  readonly condition: string | undefined;
}

/** Reads it from the cluster, with the rights of a client. */
export async function shownOn(client: KubeClient, name: string): Promise<Shown> {
  const { spec, status } = await client.get<NodeObject>(resourceTypes.nodes, { name });
  const condition = status?.conditions?.find(({ type }) => type === ownCondition);
  return { isClosed: spec?.unschedulable === true, condition: condition?.status };
}
