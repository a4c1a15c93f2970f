import { type OpRecord, recordOp } from "../../profile/index.ts";
import type { DType } from "../../tensor/dtype/index.ts";
import { orderErrorBound, type ReduceOp, type ReduceOrder } from "../../tensor/reduce/index.ts";
import type { Provenance } from "../array/index.ts";
import {
  type CollectiveEstimate,
  type CollectiveOp,
  modelCollective,
} from "../time-model/index.ts";
import type { Call } from "./call.ts";
import { delayed } from "./delayed.ts";
import { domainOf } from "./topology-of-mesh.ts";

/** What of a call its time depends on. Not the tensor: results would keep all they came from. */
type Timed = Pick<Call, "op" | "axes" | "mesh" | "groups" | "topology" | "algorithm" | "delay">;

/** What a collective did, as far as its time and its record depend on it. */
export interface Work {
  /** S of nccl-tests, of one group. */
  readonly bytes: number;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** How many times longer the slowest link takes. */
  readonly slowdown: number;
  readonly reduce?: {
    readonly op: ReduceOp;
    readonly order: ReduceOrder;
    readonly accumulate: "dtype" | "f32";
  };
  readonly notes?: readonly string[];
}

/**
 * The modelled time of a collective; undefined when there is one device in each group, so that
 * nothing moves.
 */
function estimate(
  call: Timed,
  { bytes, slowdown }: Pick<Work, "bytes" | "slowdown">,
): CollectiveEstimate | undefined {
  const { mesh, groups, op, algorithm } = call;
  const { topology } = call.topology;
  const [group = []] = groups;
  if (group.length < 2) return undefined;
  const perDomain = new Map<number, number>();
  for (const rank of group) {
    const domain = domainOf(mesh, topology, rank);
    perDomain.set(domain, (perDomain.get(domain) ?? 0) + 1);
  }
  const home = domainOf(mesh, topology, group[0] ?? 0);
  const concurrentGroups = groups.filter((one) =>
    one.some((rank) => domainOf(mesh, topology, rank) === home),
  ).length;
  const modelled = modelCollective({
    op,
    bytes,
    devices: group.length,
    concurrentGroups,
    topology,
    algorithm,
    devicesPerDomain: Math.max(...perDomain.values()),
    slowestLinkShare: 1 / slowdown,
  });
  return delayed(modelled, { op, devices: group.length, delay: call.delay });
}

/** Tells the profile about a collective, and gives what its result remembers of it. */
export function report(call: Call, work: Work): () => Provenance {
  const { op, axes, mesh, groups, topology, algorithm, delay } = call;
  const timed = { op, axes, mesh, groups, topology, algorithm, delay };
  recordOp(() => recordOf(timed, work));
  return () => provenanceOf(timed, work);
}

/** The modelled algorithm of a collective by itself. */
export function algorithmOf(call: Timed, work: Pick<Work, "bytes" | "slowdown">): string {
  return estimate(call, work)?.algorithm ?? "none";
}

function recordOf(call: Timed, work: Work): OpRecord {
  const { op, axes, groups } = call;
  const modelled = estimate(call, work);
  return {
    op,
    kind: "collective",
    bytes: work.bytes,
    flops: 0,
    devices: groups.reduce((sum, group) => sum + group.length, 0),
    groups: groups.length,
    timeUs: modelled?.timeUs ?? 0,
    source: "modelled",
    algorithm: modelled?.algorithm ?? "none",
    dtype: work.dtype,
    shape: work.shape,
    topology: call.topology.topology.name,
    axes,
    algbwGBps: modelled?.algbwGBps,
    busbwGBps: modelled?.busbwGBps,
    linkPercent: modelled?.linkPercent,
    bisectionPercent: modelled?.bisectionPercent,
    aggregatePercent: modelled?.aggregatePercent,
    notes: notesOf(call, work),
  };
}

function provenanceOf(call: Timed, work: Work): Provenance {
  const { op, axes, mesh, groups } = call;
  const { topology, isAssumed } = call.topology;
  return {
    op,
    axes,
    ...(work.reduce && {
      reduceOp: work.reduce.op,
      order: work.reduce.order,
      reduceOrderId: orderId(op, work.reduce.order, groups),
    }),
    ...errorBoundOf(call, work),
    algorithm: algorithmOf(call, work),
    topology: topology.name,
    topologyAssumed: isAssumed,
    meshFingerprint: mesh.fingerprint,
    notes: notesOf(call, work),
  };
}

/** Of sums; in phases no element is rounded more often than in one chain. */
function errorBoundOf({ groups }: Timed, { reduce, dtype }: Work): { errorBound?: number } {
  const ranks = groups[0]?.length ?? 1;
  if (reduce?.op !== "sum") return {};
  const { order, accumulate } = reduce;
  return { errorBound: orderErrorBound({ order, ranks, dtype, accumulate, sumOfMagnitudes: 1 }) };
}

/** The exact sum knows no order; every other one depends on how many there are. */
function orderId(
  op: CollectiveOp,
  order: ReduceOrder,
  groups: readonly (readonly number[])[],
): string {
  if (order === "exact") return "exact/1";
  const phases = op === "hierarchical-all-reduce" ? "hierarchical-" : "";
  return `${phases}${order}-${groups[0]?.length ?? 0}/1`;
}

function notesOf(call: Timed, { notes = [], slowdown }: Work): readonly string[] {
  const { us, eachMessageUs } = call.delay;
  const { topology, isAssumed } = call.topology;
  return [
    ...notes,
    ...(isAssumed ? [`TOPOLOGY_ASSUMED the mesh names none; modelled as ${topology.name}`] : []),
    ...(slowdown > 1 ? [`SLOW_LINK the slowest link takes ${slowdown} times as long`] : []),
    ...(eachMessageUs > 0 ? [`LATENCY the slowest link adds ${eachMessageUs} us a message`] : []),
    ...(us > 0 ? [`DELAYED by ${us} us`] : []),
  ];
}
