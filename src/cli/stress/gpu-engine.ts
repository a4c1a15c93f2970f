import { TesseraError } from "../../platform/errors/index.ts";
import { type CudaDevice, cudaAvailable, openCudaDevice } from "../../runtime/cuda/index.ts";
import { openGpuTelemetry } from "../../runtime/cuda/telemetry/index.ts";
import {
  type CudaFormat,
  createCudaMemory,
  createCudaMixed,
  createCudaProducts,
  cudaFormats,
  formatsOn,
} from "../../runtime/stress/cuda/index.ts";
import { type StressEngine, watchGpu } from "../../runtime/stress/index.ts";
import type { Invocation } from "../invocation.ts";
import type { PreparedStress } from "./prepare.ts";
import { type StressRequest, stressUsage } from "./request.ts";

/**
 * The engine on a GPU, and what is read of it; or why there is no GPU, when the user did not ask for
 * one.
 *
 * @throws E_USAGE, E_CUDA_UNAVAILABLE, E_CUDA
 */
export async function prepareGpu(
  request: StressRequest,
  { clock, io }: Invocation,
): Promise<PreparedStress | { readonly reason: string }> {
  const found = cudaAvailable({ env: io.env });
  if (!found.available) {
    if (request.device === undefined) return { reason: found.reason };
    throw new TesseraError("E_CUDA_UNAVAILABLE", { reason: found.reason });
  }
  const id = request.device === undefined || request.device === "cpu" ? "cuda:0" : request.device;
  const device = openCudaDevice(id, { env: io.env, clock });
  try {
    const engine = await createEngine(request, device, clock);
    const telemetry = openGpuTelemetry({ env: io.env, clock });
    const close = async () => {
      await engine.close();
      if (!("reason" in telemetry)) telemetry.close();
      device.close();
    };
    if ("reason" in telemetry) {
      const note = `clocks, heat and errors of the GPU are unknown: ${telemetry.reason}`;
      return { engine: { ...engine, close }, notes: [note] };
    }
    const hardware = watchGpu({ telemetry, gpu: device.properties, clock, env: io.env });
    return { engine: { ...engine, close }, hardware, notes: [] };
  } catch (error) {
    device.close();
    throw error;
  }
}

async function createEngine(
  request: StressRequest,
  device: CudaDevice,
  clock: Invocation["clock"],
): Promise<StressEngine> {
  const { kind, verify, corrupt, side, sizeBytes } = request;
  const common = { device, clock, verify, ...(corrupt === undefined ? {} : { corrupt }) };
  const size = side === undefined ? {} : { side };
  if (kind === "memory") {
    return createCudaMemory({ ...common, ...(sizeBytes === undefined ? {} : { sizeBytes }) });
  }
  if (kind === "mixed") return createCudaMixed({ ...common, ...size });
  return createCudaProducts({ ...common, ...size, format: formatOf(request.dtype, device) });
}

function formatOf(text: string | undefined, device: CudaDevice): CudaFormat {
  if (text === undefined) return "bf16";
  const format = cudaFormats.find((name) => name === text);
  if (format === undefined) {
    throw stressUsage(`--dtype is ${JSON.stringify(text)}; on a GPU: ${cudaFormats.join(", ")}.`);
  }
  if (formatsOn(device).includes(format)) return format;
  throw stressUsage(`--dtype is ${format}, which ${device.properties.model} does not have.`);
}
