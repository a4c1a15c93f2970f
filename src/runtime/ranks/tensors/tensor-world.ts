import { Semaphore } from "../../../platform/concurrency/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import { measured } from "../../profile/index.ts";
import { wireFormats } from "../measure/wire-dtype.ts";
import type { World } from "../world/world.ts";
import { collectOnGpu, type GpuGroup, openGpuGroup } from "./on-gpu.ts";
import { collectOnHost } from "./on-host.ts";
import { type RankTensor, type TensorCall, type TensorOp, tensorCall } from "./tensor-call.ts";

/**
 * Collectives on tensors between the ranks of a world. Every rank makes the same calls in the same
 * order, with tensors of the same shape and dtype; calls that are not awaited are carried out one
 * after the other. `op.allReduce(x, { world })` and its like are the same calls.
 *
 * Each rejects with E_COLLECTIVE for what cannot be carried, with E_RANK_LOST when a rank is lost, and
 * on GPUs with E_CUDA_UNAVAILABLE, E_CUDA or E_TIMEOUT.
 */
export interface TensorWorld {
  readonly world: World;
  /** The sum over all ranks, on every rank. */
  allReduce<T extends RankTensor>(tensor: T): Promise<T>;
  /** The sum over all ranks, cut along the first dimension: each rank gets its own share. */
  reduceScatter<T extends RankTensor>(tensor: T): Promise<T>;
  /** All ranks' tensors one after the other along the first dimension, on every rank. */
  allGather<T extends RankTensor>(tensor: T): Promise<T>;
  /**
   * Each rank cuts its tensor along the first dimension into one share for every rank, and gets its
   * share of every rank's, in their order.
   */
  allToAll<T extends RankTensor>(tensor: T): Promise<T>;
  /** The tensor of `root` (0 when not given), on every rank. */
  broadcast<T extends RankTensor>(tensor: T, options?: { readonly root?: number }): Promise<T>;
  /** Leaves NCCL and the world. */
  close(): Promise<void>;
}

/** Calls that may wait for their turn. */
const waitersMax = 10_000;

/**
 * Collectives on the tensors of a world's ranks: those of the host go over TCP, those of GPUs through
 * NCCL between the same ranks, one GPU for each. NCCL is joined by the first call that needs it.
 */
export function createTensorWorld(options: {
  readonly world: World;
  readonly clock: Clock;
  /** How long nothing may move before a rank is named. @default 60_000 */
  readonly stallMs?: number;
}): TensorWorld {
  const { world, clock, stallMs = 60_000 } = options;
  const turns = new Semaphore({ permits: 1, waitersMax });
  let group: Promise<GpuGroup> | undefined;
  const carryOut = async (tensor: RankTensor, call: TensorCall): Promise<RankTensor> => {
    if (!(tensor instanceof CudaTensor)) {
      return collectOnHost({ world, clock, stallMs }, tensor, call);
    }
    const { device } = tensor;
    group ??= openGpuGroup({ world, clock, device, timeoutMs: stallMs });
    return collectOnGpu(await group, tensor, call);
  };
  const collect = async <T extends RankTensor>(op: TensorOp, tensor: T, root = 0): Promise<T> => {
    const call = tensorCall(op, tensor, { worldSize: world.worldSize, root });
    const done = turns.run(() =>
      measured(
        () => recordOf(call, world),
        () => carryOut(tensor, call),
      ),
    );
    // The answer is where the tensor was.
    return (await done) as T;
  };
  return {
    world,
    allReduce: (tensor) => collect("all-reduce", tensor),
    reduceScatter: (tensor) => collect("reduce-scatter", tensor),
    allGather: (tensor) => collect("all-gather", tensor),
    allToAll: (tensor) => collect("all-to-all", tensor),
    broadcast: (tensor, { root = 0 } = {}) => collect("broadcast", tensor, root),
    close: async () => {
      try {
        // A group that could not be opened has told whoever asked for it.
        await (await group?.catch(() => undefined))?.close();
      } finally {
        await world.leave();
      }
    },
  };
}

function recordOf({ op, dtype, elements, shape }: TensorCall, { worldSize }: World) {
  const bytes = elements * wireFormats[dtype].bytes;
  const where = { devices: worldSize, groups: 1 };
  return { op, kind: "collective", bytes, flops: 0, ...where, dtype, shape } as const;
}
