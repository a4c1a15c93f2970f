import assert from "node:assert/strict";
import type { SlurmClient } from "../../../../../src/platform/slurm/index.ts";
import type { Cluster } from "../../../../../src/validation/clusters/cluster.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { nodeOf } from "./slurm-cluster.ts";

export function controlsOf(cluster: Cluster) {
  assert(cluster.controls !== undefined, "nodes can be changed");
  return cluster.controls;
}

export async function shown(slurm: SlurmClient, name = "g0") {
  const node = (await slurm.nodes()).find((one) => one.name === name);
  assert(node !== undefined, `there is ${name}`);
  return node;
}

export async function closeFirst(cluster: Cluster): Promise<void> {
  await controlsOf(cluster).cordon("g0", "probe: 12.1 is below 14.9");
  await waitUntil("it is closed", () => nodeOf(cluster, "g0")?.awaitsAcceptance === true);
}
