import type { Topology } from "../topology/index.ts";
import type { CollectiveOp } from "./types.ts";

const bytesPerUsOfGBps = 1e3;

/** What a copy between two devices reaches of their link: 376 of 450 on H100, 746 of 900 on B200. */
export const copyShare = 0.83;

/** busbw / algbw as nccl-tests reckons it, and so the bytes a device sends for each byte of S on a ring. */
export function busFactor(op: CollectiveOp, devices: number): number {
  switch (op) {
    case "all-reduce":
    case "hierarchical-all-reduce":
      return (2 * (devices - 1)) / devices;
    case "reduce-scatter":
    case "all-gather":
    case "all-to-all":
    case "gather":
    case "scatter":
      return (devices - 1) / devices;
    default:
      return 1;
  }
}

/** A rate in bytes for each microsecond. */
export function bytesPerUs(rateGBps: number): number {
  return rateGBps * bytesPerUsOfGBps;
}

/** What one device's links carry in one direction in a group of this size, in GB/s. */
export function usableLinkGBps(topology: Topology, devices: number): number {
  const { kind, linkGBps } = topology.fabric;
  if (kind === "switched") return linkGBps.value;
  const peers = Math.min(devices, topology.domainGpus) - 1;
  return (linkGBps.value * peers) / (topology.domainGpus - 1);
}

/** The least time in which the bytes can pass the links of a domain. */
export function domainWireUs(
  topology: Topology,
  query: { readonly op: CollectiveOp; readonly devices: number; readonly bytes: number },
): number {
  const { op, devices, bytes } = query;
  if (op === "barrier") return 0;
  const reduces = op === "all-reduce" || op === "hierarchical-all-reduce";
  // With a switch that adds, each device sends its bytes once instead of nearly twice.
  const factor = reduces && topology.fabric.reducesInSwitch ? 1 : busFactor(op, devices);
  // A message between two devices of a mesh has one link, however many there are.
  const meeting = op === "send-recv" || op === "permute" ? 2 : devices;
  return (factor * bytes) / bytesPerUs(usableLinkGBps(topology, meeting));
}

/** The least time in which the bytes can pass the network between domains. */
export function networkWireUs(
  topology: Topology,
  query: {
    readonly op: CollectiveOp;
    readonly devices: number;
    readonly domains: number;
    readonly bytes: number;
  },
): number {
  const { op, devices, domains, bytes } = query;
  if (topology.network === undefined || op === "barrier") return 0;
  const perDomain = devices / domains;
  const nic = bytesPerUs(topology.network.nicGBps.value * topology.network.nicsPerGpu);
  if (op === "all-to-all") return (bytes * (devices - perDomain)) / devices / nic;
  const oneNic = op === "send-recv" || op === "permute";
  const nics = oneNic ? 1 : perDomain;
  return (busFactor(op, domains) * bytes) / nics / nic;
}
