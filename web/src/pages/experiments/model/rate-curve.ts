import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { shareOf, type TimeRange } from "./time-scale.ts";

export type Rate = NonNullable<ExperimentDetailView["rate"]>;

/** The highest of both curves, so that they share an axis; 1 when nothing is known. */
export function rateMax({ withFaults, usual }: Rate): number {
  const most = [...withFaults, ...usual].reduce<number>((so, one) => Math.max(so, one ?? 0), 0);
  return most > 0 ? most : 1;
}

/** The window whose middle is nearest to a moment; undefined without windows. */
export function nearestWindow(times: readonly number[], atS: number): number | undefined {
  if (times.length === 0) return undefined;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atS) low = middle;
    else high = middle;
  }
  const below = Math.abs((times[low] ?? 0) - atS);
  const above = Math.abs((times[high] ?? 0) - atS);
  return above < below ? high : low;
}

/**
 * The path of a curve in a box of 1000 x 100. A gap in what is known is a gap in the line; a
 * window that stands alone between gaps becomes a short dash, or nobody would see it.
 */
export function curvePath(
  times: readonly number[],
  values: readonly (number | null)[],
  { range, max }: { readonly range: TimeRange; readonly max: number },
): string {
  const parts: string[] = [];
  times.forEach((atS, index) => {
    const value = values[index] ?? null;
    if (value === null) return;
    const x = (shareOf(range, atS) * 1000).toFixed(2);
    const y = (100 - (Math.min(value, max) / max) * 100).toFixed(2);
    const isFirst = (values[index - 1] ?? null) === null;
    const isAlone = isFirst && (values[index + 1] ?? null) === null;
    parts.push(`${isFirst ? "M" : "L"}${x} ${y}${isAlone ? "h1.5" : ""}`);
  });
  return parts.join("");
}

/** `with faults 1,200 samples/s; usual 1,300` for the readout; what is not known is said. */
export function rateAt(
  rate: Rate,
  atS: number,
): { readonly withFaults: number | null; readonly usual: number | null } {
  const index = nearestWindow(rate.times, atS);
  if (index === undefined) return { withFaults: null, usual: null };
  return { withFaults: rate.withFaults[index] ?? null, usual: rate.usual[index] ?? null };
}
