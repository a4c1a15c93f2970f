import { type CollectiveEstimate, modelCollective, tensor, topologyOf } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { session } from "../../profile/index.ts";
import { modelled, type QaCheck, type QaFinding } from "../check.ts";
import type { QaWorld } from "../world.ts";

const section = "bandwidth";
/** The tensor of chapter 3.4: 4096 x 4096 f32. */
const shape = [4096, 4096];
const bytes = 4096 * 4096 * 4;
/** A collective this much slower than a sound fabric's is not noise. */
const slowdownMax = 1.2;

/** Chapter 3.4: how long it should take, and whether what is broken makes it take longer. */
export const bandwidthChecks: readonly QaCheck[] = [
  {
    name: "all-reduce 64 MiB",
    section,
    run: fullSpeed,
  },
  {
    name: "hierarchy",
    section,
    run: bestAlgorithm,
  },
];

function fullSpeed({ layouts, topology, devices }: QaWorld): QaFinding {
  const [flat] = layouts;
  if (flat === undefined) return { status: "unknown", reason: "There is no arrangement to time." };
  const sound = estimate({ devices: devices.length, topology });
  using profile = session();
  op.allReduce(tensor(shape, { mesh: flat.mesh }), { op: "sum" });
  const timeUs = profile.records().at(-1)?.timeUs ?? Number.NaN;
  const facts = [
    modelled("time", timeUs, "us"),
    modelled("algbw", bytes / timeUs / 1e3, "GB/s"),
    modelled("busbw", (sound.busbwGBps * sound.timeUs) / timeUs, "GB/s"),
    modelled("of the per-GPU link", (sound.linkPercent * sound.timeUs) / timeUs, "%"),
    modelled("time the wire alone needs", sound.wireLimitUs, "us"),
  ];
  if (!(timeUs >= sound.wireLimitUs)) {
    return { status: "fail", reason: "The time is below what the wire alone needs.", facts };
  }
  if (timeUs > sound.timeUs * slowdownMax) {
    const times = (timeUs / sound.timeUs).toFixed(1);
    return { status: "fail", reason: `It takes ${times} times as long as on sound links.`, facts };
  }
  const told = `${Math.round(timeUs)} us by ${sound.algorithm}`;
  return {
    status: "pass",
    reason: `64 MiB over ${devices.length} devices: ${told} (modelled).`,
    facts,
  };
}

function bestAlgorithm({ devices, topology }: QaWorld): QaFinding {
  const query = { devices: devices.length, topology };
  const chosen = estimate(query);
  const ring = estimate({ ...query, algorithm: "ring" });
  const facts = [
    modelled(`time by ${chosen.algorithm}`, chosen.timeUs, "us"),
    modelled("time by a flat ring", ring.timeUs, "us"),
  ];
  if (chosen.timeUs > ring.timeUs) {
    return { status: "fail", reason: "A flat ring would be faster than what is chosen.", facts };
  }
  const times = (ring.timeUs / chosen.timeUs).toFixed(1);
  return {
    status: "pass",
    reason: `${chosen.algorithm} is ${times} times as fast as a ring.`,
    facts,
  };
}

function estimate(query: {
  readonly devices: number;
  readonly topology: string;
  readonly algorithm?: "ring";
}): CollectiveEstimate {
  return modelCollective({
    op: "all-reduce",
    bytes,
    ...query,
    topology: topologyOf(query.topology),
  });
}
