import type { DistTensor } from "../dist/array/index.ts";
import * as onMesh from "../dist/collectives/index.ts";
import type { RankTensor } from "../ranks/index.ts";
import {
  betweenRanks,
  isBetweenRanks,
  type RankBroadcastOptions,
  type RankOptions,
  type RankSumOptions,
} from "./between-ranks.ts";

type Either = DistTensor | RankTensor;
type Result = DistTensor | Promise<RankTensor>;

/**
 * Reduces what the devices of each group hold, element by element, and leaves the result on all of
 * them. Every device's own copy counts: 72 replicas of 1 give 72. Along an axis that splits the
 * tensor its parts are reduced into one.
 *
 * @throws E_COLLECTIVE when the parts differ in shape; E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allReduce(x: DistTensor, options?: onMesh.ReductionOptions): DistTensor;
/**
 * The sum of what all ranks of a world bring, on every rank: over TCP for tensors of the host, through
 * NCCL for those of GPUs. Each sum is rounded in the dtype; all ranks get the same bits. Every rank
 * makes the same call, with the same shape and dtype.
 *
 * @throws (the promise rejects) E_COLLECTIVE; E_RANK_LOST, which names the rank; on GPUs also
 *   E_CUDA_UNAVAILABLE, E_CUDA, E_TIMEOUT.
 */
export function allReduce<T extends RankTensor>(x: T, options: RankSumOptions): Promise<T>;
export function allReduce(
  x: Either,
  options: onMesh.ReductionOptions | RankSumOptions = {},
): Result {
  if (!isBetweenRanks<RankSumOptions>(options)) return onMesh.allReduce(x as DistTensor, options);
  return betweenRanks({ op: "all-reduce", x, options }, (world, own) => world.allReduce(own));
}

/**
 * Reduces what the devices of each group hold, element by element, and leaves each with its part of
 * the result.
 *
 * @throws E_COLLECTIVE for a dimension that is not there and parts that differ in shape; E_DESYNC,
 *   E_DEVICE_LOST, E_PARTITION.
 */
export function reduceScatter(x: DistTensor, options?: onMesh.ReduceScatterOptions): DistTensor;
/**
 * The sum of what all ranks of a world bring, cut along the first dimension: each rank gets its share.
 *
 * @throws as allReduce between ranks; E_COLLECTIVE also for rows that cannot be shared out evenly.
 */
export function reduceScatter<T extends RankTensor>(x: T, options: RankSumOptions): Promise<T>;
export function reduceScatter(
  x: Either,
  options: onMesh.ReduceScatterOptions | RankSumOptions = {},
): Result {
  if (!isBetweenRanks<RankSumOptions>(options)) {
    return onMesh.reduceScatter(x as DistTensor, options);
  }
  const call = { op: "reduce-scatter", x, options };
  return betweenRanks(call, (world, own) => world.reduceScatter(own));
}

/**
 * Leaves every device of a group with what all of them hold. Along axes that split the tensor this
 * is the tensor with its parts at their places, of whatever sizes; along others, or another
 * dimension, everybody's data one after the other, replicas too. Nothing is copied before it is
 * read.
 *
 * @throws E_COLLECTIVE for a dimension that is not there, and parts that do not fit together;
 *   E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allGather(x: DistTensor, options?: onMesh.AllGatherOptions): DistTensor;
/**
 * The tensors of all ranks of a world one after the other along the first dimension, on every rank.
 *
 * @throws as allReduce between ranks
 */
export function allGather<T extends RankTensor>(x: T, options: RankOptions): Promise<T>;
export function allGather(x: Either, options: onMesh.AllGatherOptions | RankOptions = {}): Result {
  if (!isBetweenRanks<RankOptions>(options)) return onMesh.allGather(x as DistTensor, options);
  return betweenRanks({ op: "all-gather", x, options }, (world, own) => world.allGather(own));
}

/**
 * Every device of a group cuts what it holds into one piece for each member, and puts the pieces
 * it gets together. From S(a) with `splitDim: b` it gives the same tensor as S(b).
 *
 * @throws E_COLLECTIVE for a dimension that is not there, and pieces that do not fit together or
 *   whose sizes no layout has (then use allToAllV); E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allToAll(x: DistTensor, options?: onMesh.AllToAllOptions): DistTensor;
/**
 * Every rank of a world cuts its tensor along the first dimension into one share for each rank, and
 * puts the shares it gets one after the other.
 *
 * @throws as allReduce between ranks; E_COLLECTIVE also for rows that cannot be shared out evenly.
 */
export function allToAll<T extends RankTensor>(x: T, options: RankOptions): Promise<T>;
export function allToAll(x: Either, options: onMesh.AllToAllOptions | RankOptions = {}): Result {
  if (!isBetweenRanks<RankOptions>(options)) return onMesh.allToAll(x as DistTensor, options);
  return betweenRanks({ op: "all-to-all", x, options }, (world, own) => world.allToAll(own));
}

/**
 * Leaves every device of a group with what its root holds.
 *
 * @throws E_COLLECTIVE for a root that is not there; E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function broadcast(x: DistTensor, options?: onMesh.BroadcastOptions): DistTensor;
/**
 * The tensor of one rank of a world, on every rank. The others bring one of the same shape and dtype.
 *
 * @throws as allReduce between ranks; E_COLLECTIVE also for a root that is not there.
 */
export function broadcast<T extends RankTensor>(x: T, options: RankBroadcastOptions): Promise<T>;
export function broadcast(
  x: Either,
  options: onMesh.BroadcastOptions | RankBroadcastOptions = {},
): Result {
  if (!isBetweenRanks<RankBroadcastOptions>(options)) {
    return onMesh.broadcast(x as DistTensor, options);
  }
  return betweenRanks({ op: "broadcast", x, options }, (world, own) =>
    world.broadcast(own, options),
  );
}
