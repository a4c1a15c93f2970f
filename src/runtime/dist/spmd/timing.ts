import { recordOp } from "../../profile/index.ts";
import { delayed } from "../collectives/delayed.ts";
import { slowestLink } from "../collectives/slowest-link.ts";
import { chooseTopology, domainOf } from "../collectives/topology-of-mesh.ts";
import { currentHealth } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { type CollectiveEstimate, modelCollective } from "../time-model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Call } from "./call.ts";

/** An operation that all of its members have come to. */
export interface CarriedOut {
  readonly mesh: Mesh;
  readonly members: readonly number[];
  readonly calls: readonly Call[];
  /** What happens to this operation alone adds so much. */
  readonly delayUs: number;
}

/** Tells profile sessions about an operation and gives its modelled time, in microseconds. */
export function report({ mesh, members, calls, delayUs }: CarriedOut): number {
  const [first] = calls;
  if (first === undefined || members.length < 2) return 0;
  const bytes = first.bytes(calls);
  const { topology, isAssumed } = chooseTopology(mesh);
  const estimate = estimateOf({ mesh, members, call: first, bytes, topology, delayUs });
  recordOp(() => ({
    op: first.op,
    kind: "collective",
    bytes,
    flops: 0,
    devices: members.length,
    groups: 1,
    source: "modelled",
    timeUs: estimate.timeUs,
    algorithm: estimate.algorithm,
    dtype: first.tensor?.dtype,
    shape: first.tensor?.shape,
    topology: topology.name,
    algbwGBps: estimate.algbwGBps,
    busbwGBps: estimate.busbwGBps,
    linkPercent: estimate.linkPercent,
    bisectionPercent: estimate.bisectionPercent,
    aggregatePercent: estimate.aggregatePercent,
    notes: [
      "SPMD one group of a program of ranks; other groups may run at the same time",
      ...(isAssumed ? [`TOPOLOGY_ASSUMED the mesh names none; modelled as ${topology.name}`] : []),
    ],
  }));
  return estimate.timeUs;
}

function estimateOf(work: {
  readonly mesh: Mesh;
  readonly members: readonly number[];
  readonly call: Call;
  readonly bytes: number;
  readonly topology: Topology;
  readonly delayUs: number;
}): CollectiveEstimate {
  const { mesh, members, call, bytes, topology } = work;
  const perDomain = new Map<number, number>();
  for (const rank of members) {
    const domain = domainOf(mesh, topology, rank);
    perDomain.set(domain, (perDomain.get(domain) ?? 0) + 1);
  }
  const { op } = call;
  const hops = call.route(members);
  const health = currentHealth();
  const { slowdown, addUs } = slowestLink({ op, mesh, health, topology, hops });
  const estimate = modelCollective({
    op,
    bytes,
    devices: members.length,
    topology,
    devicesPerDomain: Math.max(...perDomain.values()),
    slowestLinkShare: 1 / slowdown,
  });
  const delay = { us: work.delayUs, eachMessageUs: addUs };
  return delayed(estimate, { op, devices: members.length, delay });
}
