import type { NodeObject, NodeTaint } from "../../../../../src/hardware/objects/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";

const ofClosed = "node.kubernetes.io/unschedulable";

/** The taints of a node without the one that Kubernetes puts on a closed node, and takes off again, in its own time. */
export function taintsOf({ spec }: NodeObject): readonly NodeTaint[] {
  return (spec?.taints ?? []).filter(({ key }) => key !== ofClosed);
}

/** Waits until Kubernetes has taken that one off every node. */
export async function untilTakenOff(cluster: Cluster): Promise<void> {
  const path = "jsonpath={.items[*].spec.taints[*].key}";
  const isOff = async () =>
    !(await cluster.kubectl(["get", "nodes", "-o", path])).includes(ofClosed);
  await waitUntil("Kubernetes calls no node closed", isOff);
}
