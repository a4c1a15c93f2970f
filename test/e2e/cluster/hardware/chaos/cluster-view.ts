import {
  type NodeObject,
  ownCondition,
  type PodObject,
} from "../../../../../src/hardware/objects/index.ts";
import { isServing } from "../../../../../src/hardware/workload/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { underTest } from "../support/installation.ts";
import { taintsOf } from "../support/node-taints.ts";

const read = async <T>(cluster: Cluster, ...what: string[]): Promise<T> =>
  JSON.parse(await cluster.kubectl(["get", ...what, "-o", "json"])) as T;

/** The pods of the service. */
async function podsOf(cluster: Cluster): Promise<readonly PodObject[]> {
  const list = await read<{ readonly items: readonly PodObject[] }>(
    cluster,
    ...["-n", underTest, "pods", "-l", "app=server"],
  );
  return list.items;
}

/** Waits until the service serves on every node, and on no node with more than one pod. */
export async function untilSpread(cluster: Cluster, nodes: readonly string[]): Promise<void> {
  await waitUntil(
    `a pod serves on each of ${nodes.join(", ")}`,
    async () => {
      const pods = await podsOf(cluster);
      if (pods.length !== nodes.length || !pods.every(isServing)) return false;
      const used = new Set(pods.map(({ spec }) => spec?.nodeName));
      if (used.size === nodes.length) return true;
      // The scheduler puts the one that replaces it where none is.
      const name = pods[0]?.metadata.name ?? "";
      await cluster.kubectl(["-n", underTest, "delete", "pod", name]);
      return false;
    },
    { timeoutMs: 150_000 },
  );
}

/** Waits until that many pods serve, all with the shim or all without, and no others are there. */
export async function untilServing(
  cluster: Cluster,
  wanted: { readonly pods: number; readonly shim: boolean },
): Promise<void> {
  await waitUntil(
    `${wanted.pods} pods serve ${wanted.shim ? "with" : "without"} the shim`,
    async () => {
      const pods = await podsOf(cluster);
      const isWanted = (pod: PodObject) =>
        isServing(pod) && JSON.stringify(pod.spec).includes("LD_PRELOAD") === wanted.shim;
      return pods.length === wanted.pods && pods.every(isWanted);
    },
    { timeoutMs: 150_000 },
  );
}

/** Of a node, what detectors change, in words; nothing for one that is as it was. */
export async function tracesOn(cluster: Cluster, name: string): Promise<readonly string[]> {
  const node = await read<NodeObject>(cluster, "node", name);
  const { spec, status } = node;
  return [
    ...(spec?.unschedulable === true ? ["closed"] : []),
    ...taintsOf(node).map(({ key }) => key),
    ...(status?.conditions ?? []).flatMap(({ type, status: is }) =>
      type === ownCondition && is === "True" ? [type] : [],
    ),
  ];
}
