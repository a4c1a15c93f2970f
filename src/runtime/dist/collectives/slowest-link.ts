import type { Health, Slow } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Algorithm, CollectiveOp } from "../time-model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Hop } from "./routes.ts";
import { domainOf } from "./topology-of-mesh.ts";

/** The slowest of some links: what everybody who uses them together waits for. */
export interface SlowestLink {
  /** How many times longer a transfer takes; 1 for sound links. */
  readonly slowdown: number;
  /** What a message over the one with most latency takes longer. */
  readonly addUs: number;
}

export const soundLinks: SlowestLink = { slowdown: 1, addUs: 0 };

export interface Journey {
  readonly op: string;
  readonly mesh: Mesh;
  readonly health: Health;
  readonly topology: Topology;
  readonly hops: Iterable<Hop>;
}

/** Looks at every link of a way. What makes one slow is told that it was met. */
export function slowestLink({ op, mesh, health, topology, hops }: Journey): SlowestLink {
  if (!health.hasSlowLinks) return soundLinks;
  let slowdown = 1;
  let addUs = 0;
  const met = new Map<Slow, string>();
  for (const hop of hops) {
    const [from, to] = [mesh.deviceOf(hop[0]), mesh.deviceOf(hop[1])];
    const { by, capGBps, addUs: added } = health.delayOf(from, to, mesh);
    if (by.length === 0) continue;
    const capped = Math.max(1, rateGBps(mesh, topology, hop) / capGBps);
    slowdown = Math.max(slowdown, health.slowdown(from, to, mesh), capped);
    addUs = Math.max(addUs, added);
    for (const one of by) {
      if (!met.has(one)) met.set(one, `the link from device ${from} to device ${to} is slow`);
    }
  }
  let jitterUs = 0;
  for (const [breakage, text] of met) {
    health.note({ kind: "this", breakage }, { op, what: "slowed", text });
    jitterUs = Math.max(jitterUs, health.jitterUs(breakage));
  }
  return { slowdown, addUs: addUs + jitterUs };
}

/** What a link carries in one direction by the data sheet. */
function rateGBps(mesh: Mesh, topology: Topology, [from, to]: Hop): number {
  const { network, fabric } = topology;
  const isInside = domainOf(mesh, topology, from) === domainOf(mesh, topology, to);
  if (isInside || network === undefined) return fabric.linkGBps.value;
  return network.nicGBps.value * network.nicsPerGpu;
}

/**
 * How often a collective waits for its slowest link, one message after the other: in each step of a ring, in
 * each round of a tree, once where everybody sends directly.
 */
export function messagesInARow(op: CollectiveOp, algorithm: Algorithm, devices: number): number {
  if (op === "send-recv" || op === "permute") return 1;
  const oneWay =
    algorithm === "direct" || algorithm === "pairwise"
      ? 1
      : algorithm === "ring"
        ? devices - 1
        : Math.ceil(Math.log2(devices));
  const isTwoWay = op === "all-reduce" || op === "hierarchical-all-reduce";
  return Math.max(1, isTwoWay ? 2 * oneWay : oneWay);
}
