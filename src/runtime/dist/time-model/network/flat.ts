import { bytesPerUs, usableLinkGBps } from "../limits.ts";
import { doublings, exchangeRounds, pipelined, pipelinedTree } from "../steps.ts";
import type { Timed } from "../timed.ts";
import { type ClusterGroup, nicBytesPerUs, ringBytesPerUs } from "./links.ts";

/** What handing one message to the NIC costs, in microseconds (NCCL 2.30, tuning.cc). */
const postUs = 1;

/** One ring through all devices of all domains; `passes` is 2 for an all-reduce. */
export function flatRing(group: ClusterGroup, passes: 1 | 2, bytes = group.bytes): Timed {
  const { devices, domains, network } = group;
  const crossings = domains - 1;
  const latencyUs =
    network.baseUs.value +
    passes * (devices - 1 - crossings) * network.innerHopUs.value +
    passes * crossings * network.hopUs.value;
  const sent = (passes * bytes * (devices - 1)) / devices;
  return { algorithm: "ring", latencyUs, timeUs: latencyUs + sent / ringBytesPerUs(group) };
}

/** Two trees over the domains, chains inside them: every device sends S up and S down. */
export function flatTree(group: ClusterGroup): Timed {
  const wayUs = treeWayUs(group);
  const baseUs = group.network.baseUs.value;
  const timeUs = baseUs + 2 * pipelinedTree(wayUs, group.bytes / ringBytesPerUs(group));
  return { algorithm: "tree", latencyUs: baseUs + 2 * wayUs, timeUs };
}

function treeWayUs({ domains, perDomain, network }: ClusterGroup): number {
  const inside = (perDomain - 1) * network.innerHopUs.value;
  return inside + doublings(domains) * network.exchangeUs.value;
}

/** Halving and doubling among all devices: the rounds between domains carry the most, over single NICs. */
export function flatHalvingDoubling(group: ClusterGroup, passes: 1 | 2): Timed {
  const { devices, domains, perDomain, network, bytes } = group;
  const latencyUs =
    network.baseUs.value +
    passes * exchangeRounds(domains) * network.exchangeUs.value +
    passes * doublings(perDomain) * network.innerHopUs.value;
  const crossing = (bytes * (domains - 1)) / domains;
  const inside = (bytes * (devices - 1)) / devices - crossing;
  const linkRate = bytesPerUs(usableLinkGBps(group.topology, Math.max(2, perDomain)));
  const transferUs = passes * (crossing / nicBytesPerUs(group) + inside / linkRate);
  return { algorithm: "halving-doubling", latencyUs, timeUs: latencyUs + transferUs };
}

/** Each device to each other: what leaves the domain goes over the device's own NIC. */
export function pairwise(group: ClusterGroup): Timed {
  const { devices, perDomain, network, bytes } = group;
  const latencyUs = network.baseUs.value + network.exchangeUs.value + (devices - 1) * postUs;
  const leaving = (bytes * (devices - perDomain)) / devices;
  return { algorithm: "pairwise", latencyUs, timeUs: latencyUs + leaving / nicBytesPerUs(group) };
}

/** One message from a device of one domain to a device of another. */
export function copyBetween(group: ClusterGroup): Timed {
  const latencyUs = group.network.exchangeUs.value;
  return { algorithm: "direct", latencyUs, timeUs: latencyUs + group.bytes / nicBytesPerUs(group) };
}

/** S from one device to all, or back: along a chain, or down a tree of domains and through each. */
export function passingBetween(group: ClusterGroup): readonly Timed[] {
  const { devices, domains, network } = group;
  const baseUs = network.baseUs.value;
  const transferUs = group.bytes / ringBytesPerUs(group);
  const inside = (devices - domains) * network.innerHopUs.value;
  const chainUs = inside + (domains - 1) * network.hopUs.value;
  const treeUs = treeWayUs(group);
  return [
    {
      algorithm: "tree",
      latencyUs: baseUs + treeUs,
      timeUs: baseUs + pipelinedTree(treeUs, transferUs),
    },
    {
      algorithm: "ring",
      latencyUs: baseUs + chainUs,
      timeUs: baseUs + pipelined(chainUs, transferUs),
    },
  ];
}

/** A word up and down a tree. */
export function barrierBetween(group: ClusterGroup): Timed {
  const latencyUs = group.network.baseUs.value + 2 * treeWayUs(group);
  return { algorithm: "tree", latencyUs, timeUs: latencyUs };
}
