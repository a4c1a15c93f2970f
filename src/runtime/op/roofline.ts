import type { Gpu } from "../dist/topology/index.ts";
import type { DType } from "../tensor/dtype/index.ts";
import type { DeviceCost } from "./on-devices.ts";

export interface Roofline {
  /** Of the busiest device. */
  readonly timeUs: number;
  /** What all devices together could compute at most; undefined where the GPU's peak is not known. */
  readonly peakGflops: number | undefined;
}

/** The least time the busiest device needs: for its arithmetic, or for its bytes if that is more. */
export function roofline(gpu: Gpu, dtype: DType, costs: readonly DeviceCost[]): Roofline {
  const peakTflops = gpu.peakTflops[dtype];
  const timeUs = costs.reduce((most, { flops, bytes, factor = 1 }) => {
    // TFLOP/s is 10^6 operations, GB/s 10^3 bytes per microsecond.
    const arithmeticUs = peakTflops === undefined ? 0 : flops / (peakTflops * 1e6);
    return Math.max(most, factor * Math.max(arithmeticUs, bytes / (gpu.hbmGBps * 1e3)));
  }, 0);
  const peakGflops = peakTflops === undefined ? undefined : peakTflops * 1e3 * costs.length;
  return { timeUs, peakGflops };
}
