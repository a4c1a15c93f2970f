import assert from "node:assert/strict";
import type { CalibrationOptions } from "./calibration.ts";

/** The largest error of a check, and how many sums it is the largest of. */
export interface Maximum {
  readonly ratio: number;
  readonly lines: number;
}

/** The largest errors of recent checks, and what a spike among them leaves for a while. */
export interface RunningMaxima {
  /** Recent checks, and the sums in them. */
  readonly checks: number;
  readonly lines: number;
  add(maximum: Maximum): void;
  /** The quantile of the recent ones, or what is left of a spike above it. */
  level(): number;
  /** Forgets those above so many times the median, unless most are exact. */
  dropSpikes(factor: number): void;
}

export const learnLinesUsual = 1024;
const windowMax = 4096;

export function createRunningMaxima(options: CalibrationOptions = {}): RunningMaxima {
  const { quantile = 1, window = 64, halfLifeChecks = 256, learnLines = learnLinesUsual } = options;
  assert(quantile > 0 && quantile <= 1, "a quantile is above 0 and up to 1");
  assert(Number.isInteger(window) && window >= 1 && window <= windowMax, "a window of 1 to 4096");
  assert(halfLifeChecks > 0, "a half-life above 0");
  const keeps = 2 ** (-1 / halfLifeChecks);
  let recent: Maximum[] = [];
  let lines = 0;
  let peak = 0;
  let floor = 0;
  const ratios = () => recent.map(({ ratio }) => ratio);
  // The maximum is the usual case, and needs no sorting.
  const base = () =>
    quantile === 1
      ? recent.reduce((most, { ratio }) => Math.max(most, ratio), 0)
      : quantileOf(ratios(), quantile);
  /** Whether the rest would still be a window, of checks and of sums. */
  const canForget = () =>
    recent.length > windowMax ||
    (recent.length > window && lines - (recent[0]?.lines ?? 0) >= learnLines);
  return {
    get checks() {
      return recent.length;
    },
    get lines() {
      return lines;
    },
    add: (maximum) => {
      recent.push(maximum);
      lines += maximum.lines;
      if (canForget()) lines -= recent.shift()?.lines ?? 0;
      floor = base();
      peak = Math.max(maximum.ratio, floor + Math.max(0, peak - floor) * keeps);
    },
    level: () => Math.max(peak, floor),
    dropSpikes: (factor) => {
      const median = quantileOf(ratios(), 0.5);
      if (median === 0) return;
      recent = recent.filter(({ ratio }) => ratio <= factor * median);
      lines = recent.reduce((sum, one) => sum + one.lines, 0);
      floor = base();
      peak = floor;
    },
  };
}

/** The smallest value that at least such a share of all does not exceed; 0 of none. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
