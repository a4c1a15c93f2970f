import { robustVariation, type Slope, theilSen } from "../stats/index.ts";
import { goodShare, goodWindows, type RateWindows, type Throughput } from "./throughput.ts";

const hourUs = 3_600_000_000;
const driftUsMin = 600_000_000;

/** The share of windows that are good; null without a window. */
export function stabilityIndex(windows: RateWindows, usualRate: number): number | null {
  if (windows.rates.length === 0) return null;
  return windows.rates.filter((rate) => isGood(rate, usualRate)).length / windows.rates.length;
}

function isGood(rate: number, usualRate: number): boolean {
  // A hair less than the bound is the rounding of a sum.
  return rate >= goodShare * usualRate * (1 - 1e-9);
}

/** Spread of the windows over their middle. */
export function rateVariation({ run }: Throughput): number | null {
  return robustVariation(run.rates);
}

/** Change in per cent of the usual rate an hour; of less than ten minutes nothing about an hour follows. */
export function driftPerHour({ run, usualRate }: Throughput): Slope | null {
  if (run.rates.length * run.windowUs < driftUsMin) return null;
  return theilSen(
    run.rates.map((rate, at) => ({
      x: (at * run.windowUs) / hourUs,
      y: (100 * rate) / usualRate,
    })),
  );
}

/** What a fault did to the rate of a job. */
export interface Dip {
  /** Where its first bad window begins. */
  readonly fromUs: number;
  /** 1 less the worst window over the usual: 1 is a standstill. */
  readonly depth: number;
  /** From the first bad window to the last one before three good ones. */
  readonly durationUs: number;
  /** Three good windows in a row came after it. */
  readonly isOver: boolean;
  /** Units that the run without faults would have made more, of all bad windows of this stretch. */
  readonly lostUnits: number;
  /** The same as time: how long the whole job would have worked for it. */
  readonly lostUs: number;
}

/** The first dip that begins in a stretch of time; null when all of its windows are good. */
export function dipWithin(
  { run, usualRate }: Throughput,
  stretch: { readonly fromUs: number; readonly toUs: number },
): Dip | null {
  const first = Math.max(0, Math.floor((stretch.fromUs - run.fromUs) / run.windowUs));
  const end = Math.min(run.rates.length, Math.ceil((stretch.toUs - run.fromUs) / run.windowUs));
  const rates = run.rates.slice(first, Math.max(first, end));
  const firstBad = rates.findIndex((rate) => !isGood(rate, usualRate));
  if (firstBad < 0) return null;
  let lastBad = firstBad;
  let good = 0;
  let lostUnits = 0;
  for (let at = firstBad; at < rates.length && good < goodWindows; at++) {
    const rate = rates[at] ?? 0;
    lostUnits += (Math.max(0, usualRate - rate) * run.windowUs) / 1e6;
    good = isGood(rate, usualRate) ? good + 1 : 0;
    if (good === 0) lastBad = at;
  }
  const worst = rates.slice(firstBad, lastBad + 1).reduce((least, rate) => Math.min(least, rate));
  return {
    fromUs: run.fromUs + (first + firstBad) * run.windowUs,
    depth: 1 - worst / usualRate,
    durationUs: (lastBad - firstBad + 1) * run.windowUs,
    isOver: good >= goodWindows,
    lostUnits,
    lostUs: (lostUnits / usualRate) * 1e6,
  };
}

/** Every dip of a run, one after the other, at most `dipsMax`. */
export function dipsOf(throughput: Throughput, dipsMax: number): readonly Dip[] {
  const { fromUs, windowUs, rates } = throughput.run;
  const toUs = fromUs + rates.length * windowUs;
  const dips: Dip[] = [];
  let atUs = fromUs;
  while (dips.length < dipsMax) {
    const dip = dipWithin(throughput, { fromUs: atUs, toUs });
    if (dip === null) break;
    dips.push(dip);
    // In the middle of the first window after it: on the border, rounding might fall back into the dip.
    atUs = dip.fromUs + dip.durationUs + windowUs / 2;
  }
  return dips;
}

/** Units made over units usual, from a moment on for so long, or until the run ends. Null without a window. */
export function retainedFrom(
  { run, usualRate }: Throughput,
  fromUs: number,
  horizonUs: number = hourUs,
): number | null {
  const first = Math.max(0, Math.floor((fromUs - run.fromUs) / run.windowUs));
  const rates = run.rates.slice(first, first + Math.max(1, Math.ceil(horizonUs / run.windowUs)));
  if (rates.length === 0) return null;
  return rates.reduce((sum, rate) => sum + rate, 0) / (rates.length * usualRate);
}

/** From when on the job works as usual: the first of three good windows in a row, not before this moment. */
export function steadyFrom({ run, usualRate }: Throughput, atUs: number): number | null {
  let good = 0;
  for (
    let at = Math.max(0, Math.floor((atUs - run.fromUs) / run.windowUs));
    at < run.rates.length;
    at++
  ) {
    good = isGood(run.rates[at] ?? 0, usualRate) ? good + 1 : 0;
    if (good === goodWindows) {
      return Math.max(atUs, run.fromUs + (at - goodWindows + 1) * run.windowUs);
    }
  }
  return null;
}
