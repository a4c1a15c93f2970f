import { isTesseraError } from "../../../platform/errors/index.ts";
import type { CudaDevice } from "../../cuda/device/device.ts";
import type { StressEngine } from "../engine.ts";

/** How an engine on a GPU is named. */
export function describeGpu(device: CudaDevice): Pick<StressEngine, "device" | "deviceName"> {
  return { device: device.id, deviceName: device.properties.model };
}

/** What explains figures of a GPU. */
export function gpuFacts({ properties }: CudaDevice): StressEngine["facts"] {
  const { uuid, computeCapability, driverVersion, multiprocessors } = properties;
  return {
    uuid,
    computeCapability: `${computeCapability.major}.${computeCapability.minor}`,
    driver: driverVersion,
    multiprocessors,
    node: process.version,
  };
}

/** An error that CUDA reports while work goes on is the GPU's, or its driver's. */
export function gpuFailure(error: unknown): string | undefined {
  return isTesseraError(error) && error.code === "E_CUDA" ? error.message : undefined;
}
