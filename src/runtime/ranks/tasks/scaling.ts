import { z } from "zod";
import { cudaAvailable } from "../../cuda/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import * as op from "../../op/index.ts";
import { rand } from "../../tensor/create.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { RankTask, RankTaskContext } from "../ranks.ts";
import { localRankOfStep } from "../slurm/slurm-rank.ts";
import { createTensorWorld } from "../tensors/tensor-world.ts";
import { joinWorld } from "../world/join-world.ts";

/** What the ranks of a measured scaling are told. */
export const scalingInputSchema = z.object({
  /** Rows of input that this rank works on in one step. */
  rows: z
    .int()
    .min(1)
    .max(2 ** 20),
  /** The weight matrix is `size` x `size`, f32. */
  size: z
    .int()
    .min(8)
    .max(2 ** 15),
  steps: z.int().min(1).max(10_000),
  warmUp: z.int().min(0).max(1000).default(2),
  /** Where the tensors are: on the GPU of the rank's number, or on the host. */
  device: z.enum(["cpu", "cuda"]).default("cpu"),
  seed: z.string().default("0"),
});
export type ScalingInput = z.input<typeof scalingInputSchema>;

/** What one rank measured. */
export interface ScalingMeasurement {
  readonly steps: readonly StepTimes[];
  /** Of the summed gradient: the same on every rank. */
  readonly digest: string;
}

export interface StepTimes {
  readonly totalUs: number;
  /** Of the total: until every rank had the sum of the gradients. */
  readonly communicationUs: number;
}

/**
 * Steps of data-parallel training: forward and gradient of one linear layer on this rank's share of the
 * batch, then the sum of the gradients over all ranks.
 */
export const scalingTask: RankTask = async (context): Promise<ScalingMeasurement> => {
  const input = scalingInputSchema.parse(context.input);
  const { clock, report } = context;
  const { size, rows, steps, warmUp, seed } = input;
  const world = await joinWorld(context);
  const tensors = createTensorWorld({ world, clock });
  try {
    const at = input.device === "cpu" ? {} : ({ device: gpuOf(context) } as const);
    // Ranks share the weights and differ in their data.
    const weights = rand([size, size], { dtype: "f32", seed: `${seed}/weights`, ...at });
    const inputs = rand([rows, size], {
      dtype: "f32",
      seed: `${seed}/rank ${context.rank}`,
      ...at,
    });
    const times: StepTimes[] = [];
    let gradient: Tensor | CudaTensor | undefined;
    for (let step = -warmUp; step < steps; step++) {
      await world.barrier({ what: "the next step" });
      const startedMs = clock.monotonicMs();
      const local = await localGradient(inputs, weights);
      const computedMs = clock.monotonicMs();
      release(gradient);
      gradient = await tensors.allReduce(local);
      const endedMs = clock.monotonicMs();
      release(local);
      if (step < 0) continue;
      times.push({
        totalUs: (endedMs - startedMs) * 1e3,
        communicationUs: (endedMs - computedMs) * 1e3,
      });
      report({ step });
    }
    return { steps: times, digest: gradient?.digest() ?? "" };
  } finally {
    await tensors.close();
  }
};

/** The GPU of a rank: under srun it sees one that is its own, or all of its node. */
function gpuOf({ rank, env }: RankTaskContext): `cuda:${number}` {
  const local = localRankOfStep(env);
  const found = local === undefined ? undefined : cudaAvailable({ env });
  if (local === undefined || !found?.available) return `cuda:${rank}`;
  return `cuda:${local % found.count}`;
}

/** Forward through the layer, and the gradient of its weights for that output. */
async function localGradient<T extends Tensor | CudaTensor>(inputs: T, weights: T): Promise<T> {
  if (inputs instanceof CudaTensor && weights instanceof CudaTensor) {
    using outputs = op.matmul(inputs, weights);
    const gradient = op.matmul(inputs, outputs, { transposeA: true });
    // Without this the sum of the gradients would be measured with what leads to it.
    await inputs.device.stream.settled();
    return gradient as T;
  }
  const [own, layer] = [inputs as Tensor, weights as Tensor];
  return op.matmul(own.transpose(), op.matmul(own, layer)) as T;
}

function release(tensor: Tensor | CudaTensor | undefined): void {
  if (tensor instanceof CudaTensor) tensor.free();
}
