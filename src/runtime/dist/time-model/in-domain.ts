import { timeInDomain } from "./families.ts";
import { headsMax } from "./forms/in-switch.ts";
import type { CoreOp } from "./library-choice.ts";
import { bytesPerUs, copyShare, usableLinkGBps } from "./limits.ts";
import { ownTime } from "./own-times.ts";
import { doublings, exchangeRounds, pipelined, pipelinedTree, stepCosts } from "./steps.ts";
import { type Group, inPhases, type Timed } from "./timed.ts";
import type { Algorithm } from "./types.ts";

/** Every way to carry the collective out inside one domain. The library's own choice comes first. */
export function waysInDomain(group: Group, wanted: Algorithm): readonly Timed[] {
  const { op, bytes } = group;
  const own = ownTime(group);
  if (own !== undefined && (wanted === "auto" || wanted === own.algorithm)) return [own];
  switch (op) {
    case "all-reduce":
    case "all-gather":
    case "reduce-scatter":
      return reductionWays(group, op, wanted);
    case "all-to-all":
    // The root's links carry what every device's links carry in an all-to-all.
    case "gather":
    case "scatter":
      return [measured(group, "all-to-all", bytes)];
    case "broadcast":
    case "reduce":
      return passingOn(group);
    case "send-recv":
    case "permute":
      return [copy(group)];
    case "barrier":
      return [measured({ ...group, bytes: 0 }, "all-reduce", 0)];
    case "hierarchical-all-reduce":
      return [byNodes(group)];
  }
}

function measured(group: Group, op: CoreOp, bytes: number, only?: "ring" | "nvls"): Timed {
  const { devices, topology } = group;
  const helped = topology.fabric.reducesInSwitch ? only : "ring";
  return timeInDomain(topology, {
    op,
    devices,
    bytes,
    ...(helped === undefined ? {} : { only: helped }),
  });
}

type Reduction = "all-reduce" | "all-gather" | "reduce-scatter";

/** The measured way, and where another is asked for, that one. */
function reductionWays(group: Group, op: Reduction, wanted: Algorithm): readonly Timed[] {
  const { devices, bytes, topology } = group;
  const library = measured(group, op, bytes);
  if (wanted === "auto" || wanted === library.algorithm) return [library];
  const ways: Timed[] = [library];
  const switched = topology.fabric.kind === "switched";
  if (switched) ways.push(measured(group, op, bytes, "ring"));
  const adds = topology.fabric.reducesInSwitch && (op === "all-reduce" || devices <= headsMax);
  if (adds) ways.push(measured(group, op, bytes, "nvls"));
  ways.push(halvingDoubling(group, op));
  if (op === "all-reduce") ways.push(doubleTree(group));
  if (op === "all-reduce" && devices > topology.gpusPerNode) ways.push(byNodes(group));
  return ways;
}

function halvingDoubling({ devices, bytes, topology }: Group, op: Reduction): Timed {
  const { launchUs, hopUs, usPerByte } = stepCosts(topology, devices);
  const passes = op === "all-reduce" ? 2 : 1;
  const latencyUs = launchUs + passes * exchangeRounds(devices) * hopUs;
  const sent = (passes * bytes * (devices - 1)) / devices;
  return { algorithm: "halving-doubling", latencyUs, timeUs: latencyUs + sent * usPerByte };
}

/** Two trees, each with half of the bytes: every device sends S up and S down. */
function doubleTree({ devices, bytes, topology }: Group): Timed {
  const { launchUs, hopUs, usPerByte } = stepCosts(topology, devices);
  const wayUs = doublings(devices) * hopUs;
  const timeUs = launchUs + 2 * pipelinedTree(wayUs, bytes * usPerByte);
  return { algorithm: "tree", latencyUs: launchUs + 2 * wayUs, timeUs };
}

/** Passing S on from device to device, or down a tree. */
function passingOn({ devices, bytes, topology }: Group): readonly Timed[] {
  const { launchUs, hopUs, usPerByte } = stepCosts(topology, devices);
  const [chainUs, treeUs] = [(devices - 1) * hopUs, doublings(devices) * hopUs];
  const transferUs = bytes * usPerByte;
  return [
    {
      algorithm: "ring",
      latencyUs: launchUs + chainUs,
      timeUs: launchUs + pipelined(chainUs, transferUs),
    },
    {
      algorithm: "tree",
      latencyUs: launchUs + treeUs,
      timeUs: launchUs + pipelinedTree(treeUs, transferUs),
    },
  ];
}

function copy({ devices, bytes, topology }: Group): Timed {
  const latencyUs = timeInDomain(topology, {
    op: "all-to-all",
    devices: Math.min(devices, 2),
    bytes: 0,
  }).timeUs;
  const rate = bytesPerUs(copyShare * usableLinkGBps(topology, 2));
  return { algorithm: "direct", latencyUs, timeUs: latencyUs + bytes / rate };
}

/** Reduce-scatter inside each node, all-reduce between nodes, all-gather inside: all on the same links. */
function byNodes(group: Group): Timed {
  const { devices, bytes, topology } = group;
  const perNode = Math.min(topology.gpusPerNode, devices);
  const nodes = Math.ceil(devices / perNode);
  if (nodes === 1 || perNode === 1)
    return { ...measured(group, "all-reduce", bytes), algorithm: "hierarchical" };
  const inNode = { ...group, devices: perNode };
  const between = { ...group, devices: nodes };
  const phases = [
    { name: "reduce-scatter inside nodes", ...measured(inNode, "reduce-scatter", bytes) },
    { name: "all-reduce between nodes", ...measured(between, "all-reduce", bytes / perNode) },
    { name: "all-gather inside nodes", ...measured(inNode, "all-gather", bytes) },
  ];
  return inPhases(phases, 0);
}
