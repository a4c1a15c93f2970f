import { cudaAvailable } from "../../../runtime/cuda/device/index.ts";
import type { CheckContext } from "../check.ts";

/**
 * GPUs that CUDA can use here. When it can use none although the driver's own tool lists some, that
 * is a problem of the machine, not a machine without GPUs.
 */
export function countGpus({ host, env }: Pick<CheckContext<unknown>, "host" | "env">): {
  readonly gpus: number;
  readonly gpuProblem?: string;
} {
  const found = cudaAvailable({ env });
  if (found.available) return { gpus: found.count };
  return host.gpus.length > 0 ? { gpus: 0, gpuProblem: found.reason } : { gpus: 0 };
}
