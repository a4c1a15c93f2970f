import { ClusterError } from "../errors.ts";

/**
 * Addresses of Slurm nodes: 198.19.0.0/16, the other half of the range that is set aside for tests
 * (RFC 2544). The n-th cluster of this machine has the n-th /26, so that the machine can route to
 * the nodes of several clusters at once: `srun` talks to nodes without a stop at the controller.
 */
const prefix = "198.19";
const addressesEach = 64;
const subnets = 65_536 / addressesEach;

/** How many nodes a subnet has addresses for, less than it could: they all run on one machine. */
export const slurmNodesMax = 32;

export const slurmPorts = { controller: 6817, node: 6818, accounting: 6819 } as const;

export interface NodesSubnet {
  /** As `ip route` takes it. */
  readonly cidr: string;
  readonly prefixLength: number;
  /** The cluster's own address in it: the bridge that all nodes hang on. */
  readonly gateway: string;
  /** The address of the n-th node, n from 0. */
  node(index: number): string;
}

/** The subnet for the nodes of the cluster that has the n-th link (namespaces/subnet.ts). */
export function nodesSubnet(linkIndex: number): NodesSubnet {
  if (!Number.isInteger(linkIndex) || linkIndex < 0 || linkIndex >= subnets) {
    throw new ClusterError(`no addresses for Slurm nodes are left: ${subnets} clusters at most`);
  }
  const address = (host: number) => {
    const offset = linkIndex * addressesEach + host;
    return `${prefix}.${offset >> 8}.${offset & 255}`;
  };
  return {
    cidr: `${address(0)}/26`,
    prefixLength: 26,
    gateway: address(1),
    node(index) {
      if (index < 0 || index >= slurmNodesMax) throw new RangeError(`no node ${index}`);
      return address(2 + index);
    },
  };
}

/** Nodes are named as sites name them, from 0. */
export function slurmNodeName(index: number): string {
  return `g${index}`;
}
