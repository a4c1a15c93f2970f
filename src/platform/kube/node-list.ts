import type { KubeClient } from "./client.ts";
import type { CallOptions } from "./http/requester.ts";
import { listAll } from "./list-all.ts";
import { quantityToInteger } from "./quantity.ts";
import { resourceTypes } from "./resource-type.ts";
import type { KubeObject } from "./types.ts";

/** A node in short. */
export interface NodeSummary {
  readonly name: string;
  /** What its kubelet last said; `unknown` when that is long ago or was never. */
  readonly ready: "yes" | "no" | "unknown";
  /** False for a node that is cordoned. */
  readonly schedulable: boolean;
  /** Devices that pods may ask for, of any vendor, slices counted one by one. */
  readonly gpus: number;
}

interface NodeObject extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Every node of the cluster, in the order of their names. */
export async function listNodes(
  client: KubeClient,
  options: CallOptions = {},
): Promise<NodeSummary[]> {
  const { items } = await listAll<NodeSummary, NodeObject>(client, resourceTypes.nodes, {
    ...options,
    project: summarize,
  });
  return items;
}

function summarize({ metadata, spec, status }: NodeObject): NodeSummary {
  const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status;
  return {
    name: metadata.name ?? "",
    ready: ready === "True" ? "yes" : ready === "False" ? "no" : "unknown",
    schedulable: spec?.unschedulable !== true,
    gpus: gpusOf(status?.allocatable ?? {}),
  };
}

/** `nvidia.com/gpu`, `amd.com/gpu`, and slices such as `nvidia.com/mig-1g.5gb`. */
function gpusOf(allocatable: Readonly<Record<string, string>>): number {
  return Object.entries(allocatable)
    .filter(([name]) => /\/(?:gpu|mig-.+)$/.test(name))
    .reduce((sum, [, amount]) => sum + (quantityToInteger(amount) ?? 0), 0);
}
