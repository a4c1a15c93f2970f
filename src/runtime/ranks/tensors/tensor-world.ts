import { TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import type { CollectiveOp } from "../../dist/time-model/types.ts";
import { Tensor } from "../../tensor/tensor.ts";
import type { WireDType } from "../ranks.ts";
import type { World } from "../world/world.ts";
import { collectOnGpu, type GpuGroup, openGpuGroup } from "./on-gpu.ts";
import { collectOnHost } from "./on-host.ts";

/** Collectives on tensors between the ranks of a world; every rank makes the same calls. */
export interface TensorWorld {
  readonly world: World;
  /** The sum over all ranks, on every rank. All shapes and dtypes are the same. */
  allReduce<T extends Tensor | CudaTensor>(tensor: T): Promise<T>;
  /** The tensor of `root` (0 when not given), on every rank. */
  broadcast<T extends Tensor | CudaTensor>(
    tensor: T,
    options?: { readonly root?: number },
  ): Promise<T>;
  /** All ranks' tensors one after the other along the first dimension, on every rank. */
  allGather<T extends Tensor | CudaTensor>(tensor: T): Promise<T>;
  /** Leaves the world. */
  close(): Promise<void>;
}

const carried: ReadonlySet<string> = new Set<WireDType>(["f32", "f64", "bf16", "f16", "i32", "u8"]);

/**
 * Tensors of the host go over TCP, those of GPUs through NCCL between the same ranks.
 *
 * @throws (from each call) E_COLLECTIVE for what cannot be carried, E_RANK_LOST when a rank is lost.
 */
export function createTensorWorld(options: {
  readonly world: World;
  readonly clock: Clock;
  /** How long nothing may move before a rank is named. @default 60_000 */
  readonly stallMs?: number;
}): TensorWorld {
  const { world, clock, stallMs = 60_000 } = options;
  let group: Promise<GpuGroup> | undefined;
  const collect = async <T extends Tensor | CudaTensor>(
    op: "all-reduce" | "broadcast" | "all-gather",
    tensor: T,
    root = 0,
  ): Promise<T> => {
    const dtype = wireDType(op, tensor.dtype);
    const shape = op === "all-gather" ? gatheredShape(tensor.shape, world.worldSize) : tensor.shape;
    const call = { op, root, dtype, shape };
    if (tensor instanceof CudaTensor) {
      group ??= openGpuGroup({ world, clock, device: tensor.device, timeoutMs: stallMs });
      return (await collectOnGpu(await group, tensor, call)) as T;
    }
    const host: Tensor = tensor;
    return (await collectOnHost({ world, clock, stallMs }, host, call)) as T;
  };
  return {
    world,
    allReduce: (tensor) => collect("all-reduce", tensor),
    broadcast: (tensor, { root = 0 } = {}) => collect("broadcast", tensor, root),
    allGather: (tensor) => collect("all-gather", tensor),
    close: async () => {
      await (await group)?.close();
      await world.leave();
    },
  };
}

function gatheredShape(shape: readonly number[], worldSize: number): readonly number[] {
  const [rows, ...rest] = shape;
  if (rows === undefined) return [worldSize];
  return [rows * worldSize, ...rest];
}

function wireDType(op: CollectiveOp, dtype: string): WireDType {
  if (carried.has(dtype)) return dtype as WireDType;
  throw new TesseraError("E_COLLECTIVE", {
    op,
    problem: `${dtype} does not travel between ranks`,
    remedy: "Convert the tensors to bf16 or f32 first.",
  });
}
