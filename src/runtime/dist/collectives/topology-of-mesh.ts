import type { Mesh } from "../mesh/index.ts";
import { levelOf } from "../mesh/topology-names.ts";
import { type Topology, topologyOf } from "../topology/index.ts";

/** The system a mesh is modelled as. */
export interface ChosenTopology {
  readonly topology: Topology;
  /** True when the mesh names none, and one was taken by its size. */
  readonly isAssumed: boolean;
}

const rackGpus = 72;

/**
 * The topology the mesh names; without one, an H100 cluster for meshes with an axis of nodes or more
 * devices than a rack has, and a GB200 rack for all others.
 *
 * @throws E_TOPOLOGY
 */
export function chooseTopology(mesh: Mesh): ChosenTopology {
  if (mesh.topology !== undefined) {
    return { topology: topologyOf(mesh.topology), isAssumed: false };
  }
  const isCluster = mesh.size > rackGpus || mesh.axes.some((axis) => levelOf(axis) === "node");
  return { topology: topologyOf(isCluster ? "hgx-h100" : "gb200-nvl72"), isAssumed: true };
}

/** The NVLink or xGMI domain a rank's device is in. */
export function domainOf(mesh: Mesh, topology: Topology, rank: number): number {
  const nodesPerDomain = Math.max(1, Math.round(topology.domainGpus / topology.gpusPerNode));
  return Math.floor(mesh.nodeOf(rank) / nodesPerDomain);
}
