import type { Network } from "../../topology/index.ts";
import { bytesPerUs, copyShare, usableLinkGBps } from "../limits.ts";
import type { Group } from "../timed.ts";

/** A group that spans several domains. */
export interface ClusterGroup extends Group {
  readonly network: Network;
  readonly domains: number;
  /** Devices of the group in each domain. */
  readonly perDomain: number;
}

/** Bytes for each microsecond that one device's NICs reach. */
export function nicBytesPerUs({ network }: ClusterGroup): number {
  return bytesPerUs(network.nicGBps.value * network.nicsPerGpu * network.usableShare.value);
}

/** Bytes for each microsecond that a ring through all domains reaches: its NICs together, or its links. */
export function ringBytesPerUs(group: ClusterGroup): number {
  const nics = group.perDomain * nicBytesPerUs(group);
  if (group.perDomain === 1) return nics;
  return Math.min(nics, bytesPerUs(copyShare * usableLinkGBps(group.topology, group.perDomain)));
}
