import { timeInDomain } from "../families.ts";
import { exchangeRounds } from "../steps.ts";
import { inPhases, type Timed } from "../timed.ts";
import { flatRing } from "./flat.ts";
import { type ClusterGroup, nicBytesPerUs } from "./links.ts";

/** Phases only overlap once there are many chunks of them; at this size, half of what they can. */
const overlapHalfBytes = 256 * 2 ** 20;

type Part = "all-reduce" | "reduce-scatter" | "all-gather";

/**
 * Two levels: inside each domain on its links, between domains on one rail for each device, of which
 * each carries its share of the bytes.
 */
export function hierarchical(group: ClusterGroup, op: Part): Timed {
  const { bytes, perDomain, network, topology } = group;
  const inside = (part: Part) => timeInDomain(topology, { op: part, devices: perDomain, bytes });
  const rails = { name: `${op} between domains`, ...onRails(group, op) };
  const scatter = () => ({
    name: "reduce-scatter inside domains",
    ...inside("reduce-scatter"),
  });
  const gather = () => ({ name: "all-gather inside domains", ...inside("all-gather") });
  const phases = [
    ...(op === "all-gather" ? [] : [scatter()]),
    rails,
    ...(op === "reduce-scatter" ? [] : [gather()]),
  ];
  return inPhases(phases, (network.phaseOverlap.value * bytes) / (bytes + overlapHalfBytes));
}

/** The exchange between domains of one device's share: by halving and doubling, or on a ring. */
function onRails(group: ClusterGroup, op: Part): Timed {
  const { domains, perDomain, network } = group;
  const passes = op === "all-reduce" ? 2 : 1;
  const bytes = group.bytes / perDomain;
  const latencyUs =
    network.baseUs.value + passes * exchangeRounds(domains) * network.exchangeUs.value;
  const sent = (passes * bytes * (domains - 1)) / domains;
  const timeUs = latencyUs + sent / nicBytesPerUs(group);
  const doubling: Timed = { algorithm: "halving-doubling", latencyUs, timeUs };
  const ring = flatRing({ ...group, devices: domains, perDomain: 1 }, passes, bytes);
  return ring.timeUs < doubling.timeUs ? ring : doubling;
}
