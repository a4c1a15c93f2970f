import { TesseraError } from "../../platform/errors/index.ts";
import { DistTensor } from "../dist/array/index.ts";
import type { RankTensor, TensorWorld } from "../ranks/index.ts";

/** What makes a collective one between the ranks of a world, each a process of its own. */
export interface RankOptions {
  /** From `ranks.createTensorWorld`. Tensors of the host go over TCP, those of GPUs through NCCL. */
  readonly world: TensorWorld;
}

/** For collectives between ranks that reduce. */
export interface RankSumOptions extends RankOptions {
  /** Between ranks there is only the sum. @default "sum" */
  readonly op?: "sum";
}

export interface RankBroadcastOptions extends RankOptions {
  /** The rank whose tensor all get. @default 0 */
  readonly root?: number;
}

/** Whether a call means the ranks of a world; the others mean the devices of a mesh. */
export function isBetweenRanks<Options extends RankOptions>(
  options: Options | object,
): options is Options {
  return "world" in options && options.world !== undefined;
}

/**
 * Carries a collective out between the ranks of a world.
 *
 * @throws E_COLLECTIVE for a tensor on a mesh, and for reductions other than the sum; what the world's
 *   call throws.
 */
export async function betweenRanks(
  call: {
    readonly op: string;
    readonly x: DistTensor | RankTensor;
    readonly options: RankSumOptions;
  },
  carryOut: (world: TensorWorld, x: RankTensor) => Promise<RankTensor>,
): Promise<RankTensor> {
  const { op, x, options } = call;
  if (x instanceof DistTensor) {
    const problem = `the tensor is on a ${x.mesh.describe()}, not on the ranks of a world`;
    const remedy = "Leave `world` out, or bring what this rank holds: tensor.fromValues(…).";
    throw new TesseraError("E_COLLECTIVE", { op, problem, remedy });
  }
  const { op: reduction = "sum" } = options;
  if (reduction !== "sum") {
    const problem = `between ranks it knows no ${String(reduction)}`;
    throw new TesseraError("E_COLLECTIVE", { op, problem, remedy: "Use the sum." });
  }
  return carryOut(options.world, x);
}
