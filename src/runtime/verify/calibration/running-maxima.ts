import assert from "node:assert/strict";
import type { CalibrationOptions } from "./calibration.ts";

/** The largest errors of recent checks, and what a spike among them leaves for a while. */
export interface RunningMaxima {
  add(ratio: number): void;
  /** The quantile of the recent ones, or what is left of a spike above it. */
  level(): number;
  /** Forgets those above so many times the median; says how many are left. */
  dropSpikes(factor: number): number;
}

const windowMax = 4096;

export function createRunningMaxima(options: CalibrationOptions = {}): RunningMaxima {
  const { quantile = 1, window = 64, halfLifeChecks = 256 } = options;
  assert(quantile > 0 && quantile <= 1, "a quantile is above 0 and up to 1");
  assert(Number.isInteger(window) && window >= 1 && window <= windowMax, "a window of 1 to 4096");
  assert(halfLifeChecks > 0, "a half-life above 0");
  const keeps = 2 ** (-1 / halfLifeChecks);
  let recent: number[] = [];
  let peak = 0;
  const base = () => quantileOf(recent, quantile);
  return {
    add: (ratio) => {
      recent.push(ratio);
      if (recent.length > window) recent.shift();
      const floor = base();
      peak = Math.max(ratio, floor + Math.max(0, peak - floor) * keeps);
    },
    level: () => Math.max(peak, base()),
    dropSpikes: (factor) => {
      const most = factor * quantileOf(recent, 0.5);
      recent = recent.filter((ratio) => ratio <= most);
      peak = base();
      return recent.length;
    },
  };
}

/** The smallest value that at least such a share of all does not exceed; 0 of none. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
