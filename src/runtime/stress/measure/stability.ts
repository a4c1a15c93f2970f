import { driftOf } from "./drift.ts";
import type { RateHistogram } from "./rate-histogram.ts";
import type { TimePoint } from "./time-line.ts";

/** How steady a run was. Rates are amounts of work a second; what cannot be said is null. */
export interface Stability {
  /** All work over all the time the device was busy with it. */
  readonly mean: number;
  /** The rate of the slowest 1 % of iterations, at their upper end. */
  readonly p01: number;
  readonly p50: number;
  readonly p99: number;
  /** Standard deviation of the iterations' rates over their mean. */
  readonly variation: number | null;
  /** Change from start to end as a share of the middle: -0.02 is 2 % slower at the end. */
  readonly drift: number | null;
}

/** Null when not a single iteration was measured. */
export function stabilityOf(measured: {
  readonly rates: RateHistogram;
  readonly points: readonly TimePoint[];
  /** Of one iteration. */
  readonly amount: number;
}): Stability | null {
  const { rates, points, amount } = measured;
  const busyMs = points.reduce((sum, point) => sum + point.busyMs, 0);
  const iterations = points.reduce((sum, point) => sum + point.iterations, 0);
  const [p01, p50, p99] = [rates.quantile(0.01), rates.quantile(0.5), rates.quantile(0.99)];
  if (p01 === null || p50 === null || p99 === null || !(busyMs > 0)) return null;
  return {
    mean: rateOf(amount, iterations, busyMs),
    p01,
    p50,
    p99,
    variation: rates.variation(),
    drift: driftOf(ratesOver(points, amount)),
  };
}

/** The rate at each point of a run that did something there. */
export function ratesOver(
  points: readonly TimePoint[],
  amount: number,
): readonly { readonly atMs: number; readonly rate: number }[] {
  return points
    .filter(({ busyMs }) => busyMs > 0)
    .map(({ atMs, iterations, busyMs }) => ({ atMs, rate: rateOf(amount, iterations, busyMs) }));
}

function rateOf(amount: number, iterations: number, busyMs: number): number {
  return (1000 * amount * iterations) / busyMs;
}
