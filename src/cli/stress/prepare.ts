import type { HardwareWatch, StressEngine } from "../../runtime/stress/index.ts";
import type { Invocation } from "../invocation.ts";
import type { StressRequest } from "./request.ts";

/** What a run needs: an engine, and what is read beside it. */
export interface PreparedStress {
  readonly engine: StressEngine;
  readonly hardware?: HardwareWatch;
  /** What a reader must know about the choice of the device. */
  readonly notes: readonly string[];
}

/**
 * Chooses the device and makes its engine.
 *
 * @throws E_USAGE, E_CUDA_UNAVAILABLE, E_CUDA, E_FILE_WRITE
 */
export async function prepareStress(
  request: StressRequest,
  invocation: Invocation,
): Promise<PreparedStress> {
  if (request.kind === "io") {
    const { createIoEngine } = await import("./io-engine.ts");
    return { engine: await createIoEngine(request, invocation), notes: [] };
  }
  const { createCpuEngine } = await import("./cpu-engine.ts");
  if (request.device === "cpu") return { engine: createCpuEngine(request, invocation), notes: [] };
  const { prepareGpu } = await import("./gpu-engine.ts");
  const gpu = await prepareGpu(request, invocation);
  if (!("reason" in gpu)) return gpu;
  const note = `on the processors, because no GPU can be used: ${gpu.reason}`;
  return { engine: createCpuEngine(request, invocation), notes: [note] };
}
