import assert from "node:assert/strict";
import type { CurvePoint, ScalingCurve, ScalingKind, ScalingSample } from "./types.ts";

/** More counts than anyone runs; keeps every loop over them short. */
export const countsMax = 256;
/** An efficiency above this is no noise: the smallest count is no fair base. */
export const aboveIdealFrom = 1.02;

/**
 * The samples against the one with the fewest devices: speed-up and efficiency in the throughput form,
 * which is T(n0)·n0/(T(n)·n) where the work is the same and T(n0)/T(n) where it grows with devices.
 */
export function curveOf(samples: readonly ScalingSample[], kind: ScalingKind): ScalingCurve {
  assert(samples.length >= 1 && samples.length <= countsMax, `1 to ${countsMax} counts`);
  const sorted = samples.toSorted((a, b) => a.devices - b.devices);
  const [base] = sorted;
  assert(base !== undefined, "there is a smallest run");
  const baseRate = base.work / median(base.timesS);
  const points = sorted.map((sample, at) => {
    assert(sample.devices > (sorted[at - 1]?.devices ?? 0), "each count once, above 0");
    return pointOf(sample, base.devices, baseRate);
  });
  return { kind, baseDevices: base.devices, points };
}

function pointOf(
  { devices, timesS, work }: ScalingSample,
  baseDevices: number,
  baseRate: number,
): CurvePoint {
  const timeS = median(timesS);
  assert(timeS > 0 && work > 0 && Number.isFinite(timeS) && Number.isFinite(work), "above 0");
  const throughput = work / timeS;
  const relativeDevices = devices / baseDevices;
  const speedUp = throughput / baseRate;
  const efficiency = speedUp / relativeDevices;
  return {
    devices,
    relativeDevices,
    runs: timesS.length,
    timeS,
    work,
    throughput,
    speedUp,
    efficiency,
  };
}

/** The middle value, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.ceil((sorted.length - 1) / 2)];
  assert(low !== undefined && high !== undefined, "a median needs a value");
  return (low + high) / 2;
}

/** The value below which a share of all lies, by interpolation. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  assert(low !== undefined && high !== undefined, "a quantile needs a value");
  return low + (high - low) * (place - Math.floor(place));
}
