import type { Cluster } from "../../../../cluster/fixture.ts";

interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isClosed: boolean;
  readonly taints: readonly string[];
}

/** Everything about the nodes that somebody may have written. */
export async function nodeFacts(cluster: Cluster): Promise<readonly NodeFacts[]> {
  const { items } = JSON.parse(await cluster.kubectl(["get", "nodes", "-o", "json"])) as {
    readonly items: readonly {
      readonly metadata: Pick<NodeFacts, "name" | "labels" | "annotations">;
      readonly spec: {
        readonly unschedulable?: boolean;
        readonly taints?: readonly { readonly key: string; readonly effect: string }[];
      };
    }[];
  };
  return items.map(({ metadata: { name, labels, annotations }, spec }) => ({
    name,
    labels,
    annotations,
    isClosed: spec.unschedulable === true,
    taints: (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
  }));
}
