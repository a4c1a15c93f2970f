/**
 * The logs of `write_hist_log`: how many requests took how long, every so often. One line says what
 * completed since the line before: time in ms, direction, block size, then a count for each bin.
 */

/** Bins of equal width below, then 64 for each doubling: 1856 in all, in nanoseconds. */
const groupBits = 6;
const groupBins = 1 << groupBits;
const binCount = 29 * groupBins;
const fieldsBefore = 3;

/** What completed in one stretch of time. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Requests by bin. */
  readonly counts: Float64Array;
}

/** The latency in the middle of a bin, ns. */
export function latencyOfBin(index: number): number {
  if (index < 2 * groupBins) return index;
  const shift = (index >> groupBits) - 1;
  const base = 2 ** (shift + groupBits);
  return base + ((index % groupBins) + 0.5) * 2 ** shift;
}

/**
 * Reads the log of one job.
 *
 * @throws Error when a line is not as it should be.
 */
export function parseHistogramLog(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let fromMs = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const fields = line.split(",").map(Number);
    const toMs = fields[0] ?? Number.NaN;
    const counts = Float64Array.from(fields.slice(fieldsBefore));
    if (counts.length !== binCount || !(toMs >= fromMs) || !counts.every((count) => count >= 0)) {
      throw new Error(`it is no line of a histogram log: ${line.slice(0, 60)}`);
    }
    // Two lines of the same moment are one stretch.
    const last = stretches.at(-1);
    if (toMs === fromMs && last !== undefined) add(last.counts, counts, 1);
    else if (toMs > fromMs) stretches.push({ fromMs, toMs, counts });
    fromMs = toMs;
  }
  return stretches;
}

/** What all jobs together did in one window of time. */
export interface WindowFigures {
  readonly requestsPerSecond: number;
  /** Undefined when nothing completed in it. */
  readonly p99Ns: number | undefined;
}

/** How much of its length the last window may lack. */
const lackMax = 0.1;

export interface WindowOptions {
  readonly windowMs: number;
  /** How long was measured. */
  readonly spanMs: number;
  /** How many requests of all jobs were counted in it. */
  readonly requests: number;
}

/**
 * Puts the logs of several jobs, whose lines do not fall on the same moments, onto common windows. A
 * stretch that spans several counts in each by its share, so that a stall shows in all it lasted.
 * What completed after the last line of a job is in no log: it is the rest of what was counted, spread
 * over the time for which lines are missing. How long it took nobody knows.
 */
export function windowsOf(
  jobs: readonly (readonly Stretch[])[],
  { windowMs, spanMs, requests }: WindowOptions,
): readonly WindowFigures[] {
  const windows = Array.from({ length: Math.floor(spanMs / windowMs + lackMax) }, () => ({
    counts: new Float64Array(binCount),
    unlogged: 0,
  }));
  let rest = requests;
  for (const { counts, ...stretch } of jobs.flat()) {
    rest -= sum(counts);
    for (const [window, share] of shares(stretch, windowMs)) {
      const into = windows[window];
      if (into !== undefined) add(into.counts, counts, share);
    }
  }
  const gaps = jobs
    .map((stretches) => ({ fromMs: stretches.at(-1)?.toMs ?? 0, toMs: spanMs }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
  const gapMs = gaps.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
  for (const gap of gaps) {
    const part = (Math.max(0, rest) * (gap.toMs - gap.fromMs)) / gapMs;
    for (const [window, share] of shares(gap, windowMs)) {
      const into = windows[window];
      if (into !== undefined) into.unlogged += share * part;
    }
  }
  return windows.map(({ counts, unlogged }, window) => {
    const logged = sum(counts);
    const coveredMs = Math.min(windowMs, spanMs - window * windowMs);
    return {
      requestsPerSecond: (1000 * (logged + unlogged)) / coveredMs,
      p99Ns: logged > 0 ? percentile(counts, 0.99 * logged) : undefined,
    };
  });
}

/** The windows that a stretch of time touches, each with its share of the stretch. */
function shares(
  { fromMs, toMs }: Omit<Stretch, "counts">,
  windowMs: number,
): readonly (readonly [window: number, share: number])[] {
  const first = Math.floor(fromMs / windowMs);
  const count = Math.ceil(toMs / windowMs) - first;
  return Array.from({ length: count }, (_, index) => {
    const window = first + index;
    const overlapMs = Math.min(toMs, (window + 1) * windowMs) - Math.max(fromMs, window * windowMs);
    return [window, overlapMs / (toMs - fromMs)] as const;
  });
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

function percentile(counts: Float64Array, wanted: number): number {
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    seen += count;
    // Shares of counts add up to a little less than the whole.
    if (count > 0 && seen >= wanted * (1 - 1e-9)) return latencyOfBin(index);
  }
  throw new Error("the counts add up to less than they should");
}

function add(into: Float64Array, counts: Float64Array, share: number): void {
  for (let index = 0; index < counts.length; index++) {
    into[index] = (into[index] ?? 0) + share * (counts[index] ?? 0);
  }
}
