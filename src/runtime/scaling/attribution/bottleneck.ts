import type { Topology } from "../../dist/topology/index.ts";
import { type Knob, knobs } from "../step/index.ts";
import type { Attribution, Bottleneck } from "./types.ts";

/** With less than this share of the step lost, no cause is worth naming. */
const lossMin = 0.05;
/** Counts that spend this much alike are alike, and the smaller one is the base. */
const sameShare = 0.01;

const labels: Readonly<Record<Knob, string>> = {
  latency: "latency-bound",
  "link-bandwidth": "link-bound",
  "network-bandwidth": "NIC-bound",
  bubble: "bubble-bound",
  skew: "straggler-bound",
  checkpoint: "checkpoint-bound",
  kernels: "small-kernel-bound",
  remainder: "batch-bound",
  serial: "serial",
};

const helps: Readonly<Record<Knob, string>> = {
  latency:
    "Fewer and larger messages would help: larger buckets or micro-batches, fewer ranks in a group.",
  "link-bandwidth":
    "Fewer bytes over the links inside a domain would help: less tensor parallelism, or more overlap with computation.",
  "network-bandwidth":
    "Fewer bytes over the network would help: gradients in bf16, more of each group inside a domain, more overlap, or more NICs.",
  bubble: "More micro-batches or virtual stages, or fewer pipeline stages, would help.",
  skew: "Finding the slow devices would help: the slowest of all decides each step.",
  checkpoint: "Asynchronous or rarer checkpoints, or faster storage, would help.",
  kernels: "More work for each device would help: a larger micro-batch, less tensor parallelism.",
  remainder: "A batch that divides evenly among the replicas would help.",
  serial:
    "Less work that every device repeats would help: a divided optimizer (ZeRO), faster data loading.",
};

/** What a cause is called when it decides. */
export function labelOf(cause: Knob | "compute", topology: Topology): string {
  if (cause === "compute") return "compute-bound";
  const nvlink = cause === "link-bandwidth" && topology.fabric.kind === "switched";
  return nvlink ? "NVLink-bound" : labels[cause];
}

/** The cause that takes most of what is lost at one count. */
export function bottleneckOf(
  causesS: Attribution["causesS"],
  whole: { readonly lostS: number; readonly timeS: number; readonly topology: Topology },
): Bottleneck {
  const { lostS, timeS, topology } = whole;
  if (lostS < lossMin * timeS) return computeBound(1 - lostS / timeS, topology);
  return named(largest(causesS), lostS, topology);
}

/**
 * The cause that grows most up to the largest count, in device time for the same work: what keeps the
 * curve from being a straight line. It grows from the count that spends least: the smallest, unless
 * its memory forces it into a slow division, which would hide the same cause at the end.
 */
export function wholeBottleneck(points: readonly Attribution[], topology: Topology): Bottleneck {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return computeBound(0, topology);
  const spent = ({ devices, step }: Attribution, seconds: number) =>
    (devices * seconds) / step.sequences;
  const whole = (point: Attribution) => spent(point, point.step.timeS);
  const least = points.reduce((a, b) => (whole(b) < (1 - sameShare) * whole(a) ? b : a), first);
  const growth = knobs.map((knob) => {
    const value = spent(last, last.causesS[knob]) - spent(least, least.causesS[knob]);
    return [knob, value] as const;
  });
  const grown = spent(last, last.lostS) - spent(least, least.lostS);
  // Where nothing grows, the curve is straight, and only what is lost everywhere can be named.
  if (grown < lossMin * whole(least)) return last.bottleneck;
  const cause = largest(Object.fromEntries(growth) as Attribution["causesS"]);
  return { ...named(cause, grown, topology), of: "growth", from: least.devices };
}

function largest(causes: Attribution["causesS"]): { readonly cause: Knob; readonly value: number } {
  let best: { cause: Knob; value: number } = { cause: "latency", value: Number.NEGATIVE_INFINITY };
  for (const cause of knobs) {
    if (causes[cause] > best.value) best = { cause, value: causes[cause] };
  }
  return best;
}

function named(
  { cause, value }: { readonly cause: Knob; readonly value: number },
  all: number,
  topology: Topology,
): Bottleneck {
  return {
    cause,
    label: labelOf(cause, topology),
    share: value / all,
    of: "loss",
    help: helps[cause],
  };
}

function computeBound(share: number, topology: Topology): Bottleneck {
  const help = "Hardly anything is lost; faster devices or better kernels would help.";
  return { cause: "compute", label: labelOf("compute", topology), share, of: "loss", help };
}
