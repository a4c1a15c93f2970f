import { createRealClock } from "../../src/platform/time/real-clock.ts";
import {
  type CudaDevice,
  cudaAvailable,
  listCudaDevices,
  openCudaDevice,
} from "../../src/runtime/cuda/index.ts";
import {
  type CudaProductsOptions,
  createCudaProducts,
} from "../../src/runtime/stress/cuda/index.ts";
import { runStress } from "../../src/runtime/stress/index.ts";
import type { BenchMetric } from "../bench.ts";

export const clock = createRealClock();
const { signal } = new AbortController();

/** Why there is no GPU to measure; undefined when there is one. */
export async function missingGpu(): Promise<string | undefined> {
  const found = cudaAvailable();
  return found.available ? undefined : `no GPU: ${found.reason}`;
}

/** The first GPU, for as long as the work lasts. */
export async function onGpu<T>(work: (device: CudaDevice) => Promise<T>): Promise<T> {
  const device = openCudaDevice("cuda:0");
  try {
    return await work(device);
  } finally {
    device.close();
  }
}

/** What the numbers depend on, for the notes of a result. */
export function gpuNote(): string {
  const gpu = listCudaDevices()[0];
  if (gpu === undefined) return "no GPU";
  const { model, multiprocessors, driverVersion } = gpu;
  return `${model}, ${multiprocessors} multiprocessors, driver interface ${driverVersion}`;
}

/** Products as `tessera stress matmul` makes them, to be run in turns with something else. */
export interface ProductRuns {
  /** For so long; TFLOP and milliseconds that the GPU was busy, and wrong products. */
  run(durationMs: number): Promise<{ tflop: number; busyMs: number; wrong: number }>;
  close(): Promise<void>;
}

export async function createProductRuns(
  options: Omit<CudaProductsOptions, "clock" | "format">,
): Promise<ProductRuns> {
  const engine = await createCudaProducts({ ...options, clock, format: "bf16" });
  return {
    run: async (durationMs) => {
      const { points, wrong } = await runStress({ engine, clock, signal, durationMs });
      const iterations = points.reduce((sum, point) => sum + point.iterations, 0);
      const busyMs = points.reduce((sum, point) => sum + point.busyMs, 0);
      return { tflop: engine.work.amount * iterations, busyMs, wrong };
    },
    close: () => engine.close(),
  };
}

export function measured(
  name: string,
  value: number,
  unit: string,
  promise: { readonly better?: "lower" | "higher"; readonly limit?: number } = {},
): BenchMetric {
  const { better = "higher", limit } = promise;
  return {
    name,
    value,
    unit,
    provenance: "measured",
    better,
    ...(limit === undefined ? {} : { limit }),
  };
}
