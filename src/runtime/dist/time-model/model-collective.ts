import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { Topology } from "../topology/index.ts";
import { isCovered } from "./families.ts";
import { waysInDomain } from "./in-domain.ts";
import { type CoreOp, coreOps } from "./library-choice.ts";
import { busFactor, domainWireUs, networkWireUs } from "./limits.ts";
import { waysInCluster } from "./network/in-cluster.ts";
import { isOwnTime } from "./own-times.ts";
import { shares } from "./shares.ts";
import { choose, type Group, type Timed } from "./timed.ts";
import type { CollectiveEstimate, CollectiveQuery } from "./types.ts";

const devicesMax = 10_000_000;

/**
 * The modelled time of one collective: what the measured curves of this kind of hardware say, where
 * they reach, and their physics where they do not. Never less than the wire allows, and never falling
 * with bytes. Takes microseconds.
 *
 * @throws TesseraError E_ALGORITHM when the algorithm asked for cannot do this, E_TOPOLOGY when the
 * group is larger than a domain that has no network.
 */
export function modelCollective(query: CollectiveQuery): CollectiveEstimate {
  const { op, devices, topology, algorithm = "auto" } = query;
  // A barrier moves no data, whatever it is called with.
  const bytes = op === "barrier" ? 0 : query.bytes;
  const { concurrentGroups = 1, slowestLinkShare = 1 } = query;
  assert(Number.isInteger(devices) && devices >= 2 && devices <= devicesMax, "2 devices or more");
  assert(bytes >= 0 && Number.isFinite(bytes), "bytes are not negative");
  assert(slowestLinkShare > 0 && slowestLinkShare <= 1, "a link carries a share of (0, 1]");
  const perDomain = domainShare(query);
  const domains = Math.ceil(devices / perDomain);
  const group: Group = { op, bytes, devices, topology };
  const way = choose(waysOf(group, { perDomain, domains, algorithm }), group, algorithm);
  const wireLimitUs =
    Math.max(
      domains > 1 && perDomain === 1 ? 0 : domainWireUs(topology, { ...group, devices: perDomain }),
      domains === 1 ? 0 : networkWireUs(topology, { ...group, domains }),
    ) / slowestLinkShare;
  const transferUs = (way.timeUs - way.latencyUs) / slowestLinkShare;
  const timeUs = Math.max(way.latencyUs + transferUs, wireLimitUs);
  const algbwGBps = bytes / timeUs / 1e3;
  const moved = { group, timeUs, domains, perDomain, concurrentGroups, algorithm: way.algorithm };
  return {
    timeUs,
    algorithm: way.algorithm,
    algbwGBps,
    busbwGBps: algbwGBps * busFactor(op, devices),
    ...shares(moved),
    bound: transferUs > way.latencyUs ? "bandwidth" : "latency",
    wireLimitUs,
    basis: isFitted(query, domains) ? "fitted" : "extrapolated",
    ...(way.phases === undefined ? {} : { phases: way.phases }),
  };
}

/** Devices of the group in one domain. */
function domainShare({ devices, devicesPerDomain, topology }: CollectiveQuery): number {
  const asked = devicesPerDomain ?? devices;
  return Math.max(1, Math.min(asked, devices, topology.domainGpus));
}

function waysOf(
  group: Group,
  place: {
    readonly perDomain: number;
    readonly domains: number;
    readonly algorithm: NonNullable<CollectiveQuery["algorithm"]>;
  },
): readonly Timed[] {
  if (place.domains === 1) return waysInDomain(group, place.algorithm);
  const { network } = group.topology;
  if (network === undefined) throw noNetwork(group.topology, group.devices);
  return waysInCluster({ ...group, ...place, network });
}

function noNetwork(topology: Topology, devices: number): TesseraError {
  return new TesseraError("E_TOPOLOGY", {
    topology: topology.name,
    problem: `${devices} devices need a network, and its domain of ${topology.domainGpus} has none.`,
  });
}

/** Whether curves of this collective, algorithm, size and group were measured. */
function isFitted(query: CollectiveQuery, domains: number): boolean {
  const { op, devices, bytes, topology, algorithm = "auto" } = query;
  if (domains > 1 || algorithm !== "auto") return false;
  if (topology.measured?.[op] !== undefined) return isOwnTime({ op, devices, bytes, topology });
  if (!isCore(op)) return false;
  return isCovered(topology, { op, devices, bytes });
}

function isCore(op: CollectiveQuery["op"]): op is CoreOp {
  return coreOps.some((core) => core === op);
}
