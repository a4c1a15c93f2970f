import {
  type KubeClient,
  type KubeObject,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { brokenLabel } from "./kwok-stages.ts";
import { userPod } from "./look.ts";

/** What is wrong with each node that must not be tested, and in which words a report says so. */
export const notFree: ReadonlyMap<string, RegExp> = new Map([
  ["kwok-1", /pod default\/busy-1 holds 1 of 8 GPUs/],
  ["kwok-2", /pod default\/busy-2 holds 8 of 8 GPUs/],
  ["kwok-3", /pod default\/busy-3 holds 1 of 8 GPUs/],
  ["kwok-4", /closed to new pods/],
  ["kwok-5", /closed to new pods/],
  ["kwok-6", /does not tolerate taint team=red:NoSchedule/],
  ["kwok-7", /does not tolerate taint team=red:NoSchedule/],
  ["kwok-8", /fans stopped/],
  ["kwok-9", /fans stopped/],
  ["kwok-10", /offers no nvidia.com\/gpu/],
  ["kwok-11", /offers no nvidia.com\/gpu/],
  ["kwok-12", /label tessera.dev\/exclude says so/],
]);

/** The nodes that can be tested, in the order of the view. */
export const freeNodes: readonly string[] = numbered(1, 50)
  .filter((name) => !notFree.has(name))
  .toSorted();

/** The check of these tests; nobody measures anything. */
export const check = "host-compute";
/** Never tested, in the order of the view. */
const never = numbered(21, 35);
/** Tested 8 to 22 days ago, in an order that is not that of their names. */
export const old = numbered(36, 50).map((node, index) => ({
  node,
  check,
  daysAgo: 8 + ((index * 7) % 15),
}));
/** Tested a day ago: not due. */
export const fresh = numbered(13, 20).map((node) => ({ node, check, daysAgo: 1 }));
/** What is due, in the order of the policy `stale`: never tested first, then the oldest. */
export const dueInOrder = [
  ...never,
  ...old.toSorted((a, b) => b.daysAgo - a.daysAgo).map(({ node }) => node),
];

/** Nodes `kwok-<from>` to `kwok-<to>`. */
export function numbered(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `kwok-${from + index}`);
}

interface NodeObject extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Makes of 50 equal nodes a fleet as it is found. */
export async function arrangeFleet(cluster: Cluster, client: KubeClient): Promise<void> {
  // The built-in template tolerates no made-up nodes.
  await cluster.kubectl(["taint", "node", "--all", "kwok.x-k8s.io/node-"]);
  const change = (name: string, merge: object, subresource?: string) =>
    client.patch(
      resourceTypes.nodes,
      { name },
      { merge },
      subresource === undefined ? {} : { subresource },
    );
  await cluster.apply(
    userPod("busy-1", "kwok-1", { "nvidia.com/gpu": "1" }),
    userPod("busy-2", "kwok-2", { "nvidia.com/gpu": "8" }),
    userPod("busy-3", "kwok-3", { "nvidia.com/gpu": "1" }),
  );
  const red = { key: "team", value: "red", effect: "NoSchedule" };
  const none = { "nvidia.com/gpu": "0" };
  await Promise.all([
    ...["kwok-4", "kwok-5"].map((name) => change(name, { spec: { unschedulable: true } })),
    ...["kwok-6", "kwok-7"].map((name) => change(name, { spec: { taints: [red] } })),
    ...["kwok-10", "kwok-11"].map((name) =>
      change(name, { status: { capacity: none, allocatable: none } }, "status"),
    ),
    change("kwok-12", { metadata: { labels: { "tessera.dev/exclude": "true" } } }),
    ...["kwok-8", "kwok-9"].map((name) =>
      change(name, { metadata: { labels: { [brokenLabel]: "true" } } }),
    ),
  ]);
  const areBroken = async () => {
    const { items } = await client.listPage<NodeObject>(resourceTypes.nodes, {
      labelSelector: brokenLabel,
    });
    return items.every(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "False"),
    );
  };
  await waitUntil("KWOK has broken two nodes", areBroken, { timeoutMs: 180_000 });
}

/** Opens or closes a node, as `kubectl cordon` does. */
export async function setSchedulable(
  client: KubeClient,
  name: string,
  schedulable: boolean,
): Promise<void> {
  const spec = { unschedulable: schedulable ? null : true };
  await client.patch(resourceTypes.nodes, { name }, { merge: { spec } });
}
