import { readdir } from "node:fs/promises";
import type { CheckContext } from "../check.ts";

/** Where the kernel driver lists the GPUs that it has. */
const kernelFolder = "/proc/driver/nvidia/gpus";

/** How many GPUs this process can use; with 0, why there are none although there should be. */
export interface VisibleGpus {
  readonly count: number;
  /** Set when there are GPUs that cannot be used: then no GPUs is no answer. */
  readonly problem?: string;
  /** Why CUDA cannot be used here; empty when it can. */
  readonly reason: string;
}

/** Asks CUDA itself. GPUs that the kernel or the host shows, and CUDA does not, are a problem. */
export async function visibleGpus({
  env,
  host,
}: Pick<CheckContext<unknown>, "env" | "host">): Promise<VisibleGpus> {
  const { cudaAvailable } = await import("../../../runtime/cuda/index.ts");
  const found = cudaAvailable({ env });
  if (found.available) return { count: found.count, reason: "" };
  const inKernel = (await readdir(kernelFolder).catch(() => [])).length;
  const known = Math.max(inKernel, host.gpus.length);
  const { reason } = found;
  if (known === 0) return { count: 0, reason };
  const problem = `there are ${known} GPUs, and CUDA cannot use them: ${reason}`;
  return { count: 0, reason, problem };
}
