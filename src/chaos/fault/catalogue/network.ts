import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { durationUs, noParams, share, whole } from "./fields.ts";

const links = {
  family: "network",
  targets: ["cut", "link", "group", "rank", "node"],
  ending: "lasting",
  undo: "the links are as before",
  xids: [],
} as const;

const linkModel = "the link model";

/** Faults of links: between sides, along one link, inside a group, or all of a rank or node. */
export const networkFaults = {
  partition: {
    ...links,
    name: "partition",
    title: "Some ranks do not reach the others",
    params: noParams,
    worlds: {
      sim: `${linkModel}: nothing passes; what is sent waits for the end of the cut`,
      host: "nftables in the workers' network namespaces, or the proxy without root",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a message across the cut that did not arrive in time",
  },
  network_latency: {
    ...links,
    name: "network_latency",
    title: "Messages take longer, each by something else",
    params: z.strictObject({
      latencyUs: durationUs(50_000, "added to every message, one way"),
      jitterUs: durationUs(0, "up to so much more, evenly"),
    }),
    worlds: {
      sim: `${linkModel}: more latency`,
      host: "netem where the kernel has it, else the proxy",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a round trip that takes longer than before by at least the latency",
  },
  packet_loss: {
    ...links,
    name: "packet_loss",
    title: "Packets get lost and are sent again",
    params: z.strictObject({
      share: share(0.05, "of packets, by chance with the plan's seed; 1 is a cut"),
    }),
    worlds: {
      sim: `${linkModel}: transfers take longer by what is sent again; a connection that loses too often breaks`,
      host: "nftables (numgen random), or pauses in the proxy without root",
      kubernetes: null,
      slurm: null,
    },
    evidence: "the kernel's or the link model's count of lost packets",
  },
  bandwidth_cap: {
    ...links,
    name: "bandwidth_cap",
    title: "Links carry no more than so much",
    params: z.strictObject({
      bytesPerSecond: whole(12_500_000, "of each link, one way; 12,500,000 is 100 Mbit/s", {
        min: 1000,
      }),
    }),
    worlds: {
      sim: `${linkModel}: a lower rate`,
      host: "tbf where the kernel has it, else the proxy",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a transfer whose rate is at most the cap, where it was above",
  },
  link_flap: {
    ...links,
    name: "link_flap",
    title: "Links go down and up, again and again",
    params: z.strictObject({
      downUs: durationUs(500_000, "down for so long; it begins with down"),
      upUs: durationUs(500_000, "then up for so long"),
    }),
    worlds: {
      sim: `${linkModel}: cut and whole in turns`,
      host: "nftables switched by the runner, or the proxy without root",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a message that had to wait for the link",
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
