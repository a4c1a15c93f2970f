import {
  type Algorithm,
  type CollectiveEstimate,
  type CollectiveOp,
  modelCollective,
} from "../../dist/time-model/index.ts";
import type { Topology } from "../../dist/topology/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { counterfactual } from "./counterfactual.ts";
import { groupsOf, type StepGroup } from "./groups.ts";
import type { StepQuery } from "./types.ts";

/** Elements of one bucket of gradients: Megatron's rule, at least 40 million. */
const bucketElementsMin = 40e6;
const bucketElementsPerReplica = 1e6;

/** What the collectives of a step take, each once, in seconds. 0 where there is no group. */
export interface Communication {
  /** One reduce-scatter and one all-gather of a layer's hidden state. */
  readonly tensorPairS: number;
  /** One hidden state from stage to stage. */
  readonly sendS: number;
  /** The sum of all gradients of a device. */
  readonly gradientsS: number;
  /** All weights of a device from those that hold parts of them. */
  readonly weightsS: number;
  readonly buckets: number;
}

/** Bytes that each group of a division moves at once. */
export function bytesOf({ workload, split }: Pick<StepQuery, "workload" | "split">) {
  const { model, precision } = workload;
  const computeBytes = dtypeInfo(precision.compute).bytes;
  const hidden = split.micro * model.sequence * model.hidden * computeBytes;
  const held = model.parameters / (split.tensor * split.pipeline);
  const bucket = Math.max(bucketElementsMin, bucketElementsPerReplica * split.data);
  const buckets = Math.max(1, Math.ceil(held / bucket));
  return {
    /** The hidden state of one micro-batch. */
    tensor: hidden,
    pipeline: hidden / split.tensor,
    gradients: (held * dtypeInfo(precision.gradients).bytes) / buckets,
    weights: (held * computeBytes) / buckets,
    buckets,
  };
}

/** Times every collective of a step once. */
export function communicationOf(query: StepQuery): Communication {
  const { split, workload, deterministic = false, without } = query;
  const topology = without === undefined ? query.topology : counterfactual(query.topology, without);
  const groups = groupsOf(split, topology);
  const bytes = bytesOf(query);
  const time = (op: CollectiveOp, group: StepGroup, size: number) =>
    group.devices < 2 ? 0 : collectiveS({ op, group, bytes: size, topology, deterministic });
  const { buckets } = bytes;
  const divided = workload.zero > 0;
  return {
    tensorPairS:
      time("reduce-scatter", groups.tensor, bytes.tensor) +
      time("all-gather", groups.tensor, bytes.tensor),
    sendS: split.pipeline > 1 ? time("send-recv", groups.neighbours, bytes.pipeline) : 0,
    gradientsS:
      buckets * time(divided ? "reduce-scatter" : "all-reduce", groups.data, bytes.gradients),
    weightsS: divided ? buckets * time("all-gather", groups.data, bytes.weights) : 0,
    buckets,
  };
}

/** One collective of a group, in seconds. */
function collectiveS(options: {
  readonly op: CollectiveOp;
  readonly group: StepGroup;
  readonly bytes: number;
  readonly topology: Topology;
  readonly deterministic: boolean;
}): number {
  const { op, group, bytes, topology, deterministic } = options;
  const timeUs = (algorithm: Algorithm) =>
    modelCollective({ op, bytes, topology, algorithm, ...group }).timeUs;
  const adds = op === "all-reduce" || op === "reduce-scatter";
  const usual = modelCollective({ op, bytes, topology, ...group });
  if (!deterministic || !adds || isFixed(usual, options)) return usual.timeUs / 1e6;
  const inside = group.devices <= group.devicesPerDomain;
  const fixed: readonly Algorithm[] = inside ? ["ring"] : ["ring", "halving-doubling"];
  return Math.min(...fixed.map(timeUs)) / 1e6;
}

/** Whether a way always adds in the same order: no tree, and nothing inside a switch. */
function isFixed(
  { algorithm }: CollectiveEstimate,
  { group, bytes, topology }: { group: StepGroup; bytes: number; topology: Topology },
): boolean {
  if (algorithm !== "hierarchical") return algorithm !== "nvls" && algorithm !== "tree";
  const devices = group.devicesPerDomain;
  const inside = modelCollective({ op: "reduce-scatter", bytes, devices, topology });
  return inside.algorithm !== "nvls";
}
