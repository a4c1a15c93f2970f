import type { Scale } from "./scale.ts";
import { linearTicks, magnitudeMin } from "./ticks.ts";

/** Values from `from` up to, not including, `to`; the last bin includes its end. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const binsMax = 60;

/**
 * Bins of equal width over the range of the values (equal ratios on a log scale). The number
 * follows the Freedman-Diaconis rule unless it is given.
 */
export function binsOf(
  values: readonly number[],
  options: { readonly scale: Scale; readonly count?: number },
): Bin[] {
  if (values.length === 0) return [];
  const { scale } = options;
  const sorted = values.toSorted((a, b) => a - b);
  const edges = edgesOf(sorted, options);
  const counts = new Array<number>(edges.length - 1).fill(0);
  let bin = 0;
  for (const value of sorted) {
    while (bin < counts.length - 1 && value >= (edges[bin + 1] ?? scale.max)) bin++;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, index) => ({
    from: edges[index] ?? scale.min,
    to: edges[index + 1] ?? scale.max,
    count,
  }));
}

function edgesOf(
  sorted: readonly number[],
  options: { readonly scale: Scale; readonly count?: number },
): number[] {
  const { scale } = options;
  const low = Math.max(sorted[0] ?? scale.min, scale.min);
  const high = Math.min(sorted.at(-1) ?? scale.max, scale.max);
  const transform = scale.kind === "log" ? Math.log : (value: number) => value;
  const wanted = Math.min(
    Math.max(Math.floor(options.count ?? ruleOfThumb(sorted, transform)), 1),
    binsMax,
  );
  const largest = Math.max(Math.abs(transform(high)), Math.abs(transform(low)), magnitudeMin);
  if (!(transform(high) - transform(low) > largest * 1e-9)) {
    // All values are the same: one bin, a tenth of the axis wide, around it.
    return around(low, scale);
  }
  if (scale.kind === "linear" && options.count === undefined) {
    const ticks = linearTicks({ min: low, max: high, unit: "", wanted });
    if (ticks.length > 1 && ticks.length <= 2 * binsMax) {
      return ticks.map((tick) => Math.min(Math.max(tick, scale.min), scale.max));
    }
  }
  const step = (transform(high) - transform(low)) / wanted;
  const inverse = scale.kind === "log" ? Math.exp : (value: number) => value;
  return Array.from({ length: wanted + 1 }, (_, index) => {
    if (index === 0) return low;
    return index === wanted ? high : inverse(transform(low) + index * step);
  });
}

function around(value: number, scale: Scale): number[] {
  if (scale.kind === "log") return [value / 1.05, value * 1.05];
  const half = (scale.max - scale.min) / 20;
  return [value - half, value + half];
}

function ruleOfThumb(sorted: readonly number[], transform: (value: number) => number): number {
  const at = (share: number) => transform(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const spread = at(0.75) - at(0.25);
  const range = at(1) - at(0);
  const width = (2 * spread) / Math.cbrt(sorted.length);
  const sturges = Math.ceil(Math.log2(sorted.length)) + 1;
  return width > 0 ? Math.max(range / width, 5) : sturges;
}
