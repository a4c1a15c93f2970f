import { busFactor, usableLinkGBps } from "./limits.ts";
import type { Group, Timed } from "./timed.ts";

/** A collective that has its time. */
interface Moved {
  readonly group: Group;
  readonly timeUs: number;
  readonly domains: number;
  readonly perDomain: number;
  readonly concurrentGroups: number;
  readonly algorithm: Timed["algorithm"];
}

interface Shares {
  readonly linkPercent: number;
  readonly bisectionPercent: number;
  readonly aggregatePercent: number;
}

/** How much of the hardware's rates a collective uses, in percent. */
export function shares({
  group,
  timeUs,
  domains,
  perDomain,
  concurrentGroups,
  algorithm,
}: Moved): Shares {
  const { op, devices, bytes, topology } = group;
  const sentGBps = (busFactor(op, devices) * bytes) / timeUs / 1e3;
  const linkGBps = linkOf(group, { domains, perDomain });
  // GPUs that could take part: whole domains, as many as the groups fill.
  const inUse = devices * concurrentGroups;
  const whole = Math.ceil(inUse / topology.domainGpus) * topology.domainGpus;
  const crossingGBps = concurrentGroups * sentGBps * crossing(algorithm, devices);
  return {
    linkPercent: (100 * sentGBps) / linkGBps,
    bisectionPercent: (100 * crossingGBps) / ((whole / 2) * linkGBps),
    aggregatePercent: (100 * sentGBps * inUse) / (whole * linkGBps),
  };
}

/** What a device's way out carries in one direction: its links, or between domains the ring's NICs. */
function linkOf(
  group: Group,
  place: { readonly domains: number; readonly perDomain: number },
): number {
  const { topology, devices } = group;
  const { network } = topology;
  const links = usableLinkGBps(topology, Math.max(2, Math.min(devices, place.perDomain)));
  if (place.domains === 1 || network === undefined) return links;
  const nics = network.nicGBps.value * network.nicsPerGpu * place.perDomain;
  return place.perDomain === 1 ? nics : Math.min(links, nics);
}

/** Of what the devices of one half send, how many devices' worth crosses to the other half. */
function crossing(algorithm: Timed["algorithm"], devices: number): number {
  const half = devices / 2;
  if (algorithm === "ring") return 1;
  if (algorithm === "pairwise") return (half * half) / (devices - 1);
  return half / 2;
}
