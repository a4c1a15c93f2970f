import { TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { createRealClock } from "../../../platform/time/real-clock.ts";
import { type CudaLibraries, type LoadCudaOptions, loadCuda } from "../libraries/load-cuda.ts";
import type { CudaDevice, CudaDeviceId, CudaDeviceProperties } from "./device.ts";
import { DeviceContext } from "./device-context.ts";
import { GpuDevice, type GpuDeviceOptions } from "./gpu-device.ts";
import { countDevices, ordinalOf, readProperties } from "./properties.ts";

export interface OpenCudaDeviceOptions extends LoadCudaOptions {
  /** What `settled` waits by. @default real time */
  readonly clock?: Clock;
}

/** By the driver's file, then by the GPU's number. */
const opened = new Map<string, Map<number, GpuDevice>>();

/**
 * A GPU of this machine. Whoever opens the same one gets the same device, with the options of the
 * first, and each has to close it; the last to do so frees all that was taken.
 *
 * @throws E_CUDA_UNAVAILABLE when there is no such GPU or it cannot be used; E_CUDA when the driver
 * refuses it.
 */
export function openCudaDevice(id: CudaDeviceId, options: OpenCudaDeviceOptions = {}): CudaDevice {
  const libraries = needCuda(options);
  const index = indexOf(id, countDevices(libraries));
  const devices = opened.get(libraries.driverPath) ?? new Map<number, GpuDevice>();
  opened.set(libraries.driverPath, devices);
  const before = devices.get(index);
  if (before !== undefined) {
    before.open();
    return before;
  }
  const device = open(libraries, index, {
    clock: options.clock ?? createRealClock(),
    forget: () => devices.delete(index),
  });
  devices.set(index, device);
  return device;
}

function open(
  libraries: CudaLibraries,
  index: number,
  options: Pick<GpuDeviceOptions, "clock" | "forget">,
): GpuDevice {
  const properties = readProperties(libraries, index);
  const context = new DeviceContext(libraries, ordinalOf(libraries, index));
  try {
    return new GpuDevice({ context, properties, ...options });
  } catch (error) {
    context.release();
    throw error;
  }
}

/**
 * The GPUs that this process sees, in the driver's order. Takes nothing on them.
 *
 * @throws E_CUDA_UNAVAILABLE when the driver cannot be used.
 */
export function listCudaDevices(options: LoadCudaOptions = {}): CudaDeviceProperties[] {
  const libraries = needCuda(options);
  const count = countDevices(libraries);
  return Array.from({ length: count }, (_, index) => readProperties(libraries, index));
}

/** Whether there is a GPU to use, and how many, or why not. */
export function cudaAvailable(
  options: LoadCudaOptions = {},
):
  | { readonly available: true; readonly count: number }
  | { readonly available: false; readonly reason: string } {
  const libraries = loadCuda(options);
  if ("reason" in libraries) return { available: false, reason: libraries.reason };
  const count = countDevices(libraries);
  if (count === 0) return { available: false, reason: "the driver sees no GPU" };
  return { available: true, count };
}

function needCuda(options: LoadCudaOptions): CudaLibraries {
  const libraries = loadCuda(options);
  if ("reason" in libraries) {
    throw new TesseraError("E_CUDA_UNAVAILABLE", { reason: libraries.reason });
  }
  return libraries;
}

function indexOf(id: string, count: number): number {
  const index = Number(/^cuda:(\d{1,4})$/.exec(id)?.[1] ?? Number.NaN);
  if (index < count) return index;
  const there = count === 0 ? "no GPU" : `cuda:0${count === 1 ? "" : ` to cuda:${count - 1}`}`;
  const reason = `there is no ${id}; this process sees ${there}`;
  throw new TesseraError("E_CUDA_UNAVAILABLE", { reason });
}
