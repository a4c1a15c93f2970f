import { availableParallelism } from "node:os";
import type { Clock } from "../../../../platform/time/index.ts";
import { createCpuEngine } from "./cpu/cpu-engine.ts";
import type { DlEngine } from "./engine.ts";

/**
 * The engine of one device process. That for GPUs is loaded only where it is used.
 *
 * @param index which GPU, or which of several processes on the host's processors.
 * @throws TesseraError E_CUDA, E_CUDA_UNAVAILABLE
 */
export async function openEngine(
  name: "cuda" | "cpu",
  {
    index,
    clock,
    env,
  }: {
    readonly index: number;
    readonly clock: Clock;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<DlEngine> {
  if (name === "cuda") {
    const { createCudaEngine } = await import("./cuda/cuda-engine.ts");
    return createCudaEngine({ index, clock, env }) as unknown as DlEngine;
  }
  const model = `${process.arch} with ${availableParallelism()} processors`;
  const device = { name: `process ${index}`, index, model };
  return createCpuEngine({ clock, device }) as unknown as DlEngine;
}
