/** How long something took; or, when it had not happened yet, how long it had been waited for. */
export interface Duration {
  readonly value: number;
  readonly isCensored: boolean;
}

export interface SurvivalPoint {
  readonly at: number;
  /** The share that takes longer than this. */
  readonly survival: number;
  /** Greenwood's standard error of that share. */
  readonly error: number;
  readonly atRisk: number;
}

export interface Survival {
  readonly n: number;
  readonly censored: number;
  /** One for each time at which something ended. */
  readonly points: readonly SurvivalPoint[];
  /** Null: fewer than half ended for certain. */
  readonly median: number | null;
  readonly p95: number | null;
  /** 95 % interval of the median; an open end is null. */
  readonly medianLow: number | null;
  readonly medianHigh: number | null;
}

const normal95 = 1.959963984540054;

/** Kaplan's and Meier's estimate: what did not end in time counts for as long as it was watched, and is never dropped. */
export function kaplanMeier(durations: readonly Duration[]): Survival {
  const sorted = durations.toSorted((a, b) => a.value - b.value);
  const points: SurvivalPoint[] = [];
  let survival = 1;
  let greenwood = 0;
  for (let at = 0; at < sorted.length; ) {
    const value = sorted[at]?.value ?? 0;
    const atRisk = sorted.length - at;
    // Who was lost sight of at this moment was still there at it.
    let ended = 0;
    while (at < sorted.length && sorted[at]?.value === value) {
      if (sorted[at]?.isCensored === false) ended++;
      at++;
    }
    if (ended === 0) continue;
    survival *= (atRisk - ended) / atRisk;
    if (atRisk > ended) greenwood += ended / (atRisk * (atRisk - ended));
    points.push({ at: value, survival, error: survival * Math.sqrt(greenwood), atRisk });
  }
  const first = (isPast: (point: SurvivalPoint) => boolean) => points.find(isPast)?.at ?? null;
  return {
    n: sorted.length,
    censored: sorted.filter(({ isCensored }) => isCensored).length,
    points,
    median: first((point) => point.survival <= 0.5 + slack),
    p95: first((point) => point.survival <= 0.05 + slack),
    medianLow: first(({ survival: s, error }) => s - normal95 * error <= 0.5 + slack),
    medianHigh: first(({ survival: s, error }) => s + normal95 * error <= 0.5 + slack),
  };
}

/** Products of shares are a last bit off the half now and then. */
const slack = 1e-12;
