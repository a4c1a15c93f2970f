import { type CudaMatmulOptions, matmul } from "../../cuda/ops/index.ts";
import type { CudaTensor } from "../../cuda/tensor/index.ts";
import { likeGpus, productOnGpu } from "./cuda-product.ts";
import { voteOfAnswers } from "./vote-of-answers.ts";
import type { Vote } from "./vote-types.ts";

/** GPUs of one model vote; one that is alone votes with several runs. */
export function voteOnGpus(
  pair: readonly [CudaTensor, CudaTensor],
  { devices, options }: { readonly devices: number; readonly options: CudaMatmulOptions },
): Vote<CudaTensor> {
  const [a, b] = pair;
  const { id } = a.device;
  const others = likeGpus(a.device).slice(0, devices - 1);
  const isAlone = others.length === 0;
  const runs = Array.from({ length: devices }, (_, run) => ({
    device: `${id} run ${run}`,
    compute: () => matmul(a, b, options),
  }));
  const gpus = [
    { device: id as string, compute: () => matmul(a, b, options) },
    ...others.map((other) => ({
      device: other as string,
      compute: () => productOnGpu(other, pair, options),
    })),
  ];
  return voteOfAnswers(isAlone ? runs : gpus, {
    devices,
    independence: isAlone ? "same-device" : "other-device",
    release: (y) => y.free(),
  });
}
