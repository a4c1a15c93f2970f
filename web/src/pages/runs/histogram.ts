/** How often samples fall where. */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  /** Each bar is as wide as the next. */
  readonly counts: readonly number[];
  readonly most: number;
}

const binsMax = 48;

/** Bars for samples; as many as they deserve. Undefined without samples. */
export function histogramOf(samples: readonly number[]): Histogram | undefined {
  const known = samples.filter((value) => Number.isFinite(value));
  const [first] = known;
  if (first === undefined) return undefined;
  let [low, high] = [first, first];
  for (const value of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const bins =
    high > low ? Math.min(binsMax, Math.max(5, Math.ceil(Math.sqrt(known.length) * 2))) : 1;
  const counts = new Array<number>(bins).fill(0);
  for (const value of known) {
    const share = high > low ? (value - low) / (high - low) : 0;
    const bin = Math.min(bins - 1, Math.floor(share * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { low, high, counts, most: counts.reduce((a, b) => Math.max(a, b), 0) };
}

export interface HistogramAxis {
  readonly from: number;
  readonly to: number;
  /** Where a value is: 0 at the left end, 1 at the right one. */
  shareOf(value: number): number;
}

/** An axis with room for the samples and for what they are held against. */
export function axisOf({ low, high }: Histogram, bounds: readonly number[]): HistogramAxis {
  const from = Math.min(low, ...bounds);
  const to = Math.max(high, ...bounds);
  return { from, to, shareOf: (value) => (to > from ? (value - from) / (to - from) : 0) };
}
