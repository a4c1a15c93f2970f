import { topologyOf } from "../topology/index.ts";

/** How the GPUs of a system are grouped. */
export interface NodeSize {
  readonly gpusPerNode: number;
  /** GPUs of a rack, where the system joins those of several nodes. */
  readonly gpusPerRack: number | undefined;
}

const gpusPerHgx = 8;

/** The grouping a topology has; without one, nodes of 8 GPUs. @throws E_TOPOLOGY */
export function nodeSizeOf(topology: string | undefined): NodeSize {
  if (topology === undefined) return { gpusPerNode: gpusPerHgx, gpusPerRack: undefined };
  const { gpusPerNode, domainGpus } = topologyOf(topology);
  return { gpusPerNode, gpusPerRack: domainGpus > gpusPerNode ? domainGpus : undefined };
}
