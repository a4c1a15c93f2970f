import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ports } from "../control-plane/addresses.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { cgroupOf } from "../registry/names.ts";

export const gpusPerNode = 8;
export const gpuResource = "nvidia.com/gpu";

/** One real node: the folders, addresses and names that it shares with no other. */
export interface RealNode {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  readonly folder: string;
  /** The containerd it runs its pods with. */
  readonly containerdSocket: string;
  readonly containerdState: string;
  readonly kubeletRoot: string;
  readonly kubeletPort: number;
  readonly kubeletHealthPort: number;
  readonly cniConfigFolder: string;
  readonly podsCidr: string;
  /** Its own cgroup: with a shared one each kubelet would kill the other's pods as orphans. */
  readonly cgroup: string;
}

/** The n-th real node of a cluster, n from 1; its folders are made. */
export function prepareNode(context: ClusterContext, index: number): RealNode {
  const name = `node-${index}`;
  const folder = join(context.paths.nodes, name);
  const node: RealNode = {
    name,
    index,
    folder,
    containerdSocket: `/run/${name}/containerd.sock`,
    containerdState: `/run/${name}/containerd`,
    kubeletRoot: join(folder, "kubelet"),
    kubeletPort: ports.kubelet + index,
    kubeletHealthPort: ports.kubeletHealth + index,
    cniConfigFolder: join(folder, "cni"),
    podsCidr: `10.244.${index}.0/24`,
    cgroup: `${cgroupOf(context.config.name)}/${name}`,
  };
  for (const made of [folder, node.kubeletRoot, node.cniConfigFolder, `/run/${name}`]) {
    mkdirSync(made, { recursive: true });
  }
  return node;
}
