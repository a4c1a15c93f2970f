import assert from "node:assert/strict";
import { aboveIdealFrom, median } from "./curve.ts";
import type { Fitted, KarpFlatt, ScalingCurve } from "./types.ts";

const pointsMin = 3;
/** From first to last the share must change by so much of its middle to count as a trend. */
const changeMin = 0.25;
/** Of all pairs of counts, so many more must go with a trend than against it (Kendall). */
const agreementMin = 0.5;
/** Counts that lose less than this share of the most that is lost say nothing about why. */
const tellingShare = 0.25;
/** With this efficiency at the largest count there is nothing to explain. */
const efficiencyGood = 0.98;

/**
 * e = (1/S - 1/N)/(1 - 1/N): the serial share that would explain one point by itself; below 0 where
 * it is faster than ideal. @param relativeDevices N, above 1: the base shares nothing with itself
 */
export function serialShareOf(speedUp: number, relativeDevices: number): number {
  assert(relativeDevices > 1, "a serial share is that of several devices");
  return (1 / speedUp - 1 / relativeDevices) / (1 - 1 / relativeDevices);
}

/** The serial share at each count, and whether it grows: then it is not serial work. */
export function karpFlattOf(curve: ScalingCurve): Fitted<KarpFlatt> {
  const points = curve.points
    .filter(({ relativeDevices }) => relativeDevices > 1)
    .map(({ devices, relativeDevices, speedUp }) => ({
      devices,
      serialShare: serialShareOf(speedUp, relativeDevices),
    }));
  if (points.length < pointsMin) {
    const reason = `a trend needs ${pointsMin} counts above the smallest, and there are ${points.length}`;
    return { status: "inconclusive", reason };
  }
  const efficiency = curve.points.at(-1)?.efficiency ?? 0;
  const judged = telling(curve, points);
  const trend = efficiency >= efficiencyGood ? "none" : trendOf(judged);
  if (trend === undefined) {
    const reason = "the serial share scatters more than it goes up or down";
    return { status: "inconclusive", reason };
  }
  const judgedFrom = judged[0]?.devices ?? 0;
  const serialShare = points.at(-1)?.serialShare ?? 0;
  const reading = readings[trend]({ serialShare, efficiency });
  return { status: "fitted", points, trend, judgedFrom, reading };
}

/** Undefined where the points scatter too much to tell. */
function trendOf(points: KarpFlatt["points"]): KarpFlatt["trend"] | undefined {
  const slopes: number[] = [];
  for (const [at, one] of points.entries()) {
    for (const other of points.slice(at + 1)) {
      const doublings = Math.log2(other.devices / one.devices);
      slopes.push((other.serialShare - one.serialShare) / doublings);
    }
  }
  const [first, last] = [points[0]?.devices ?? 1, points.at(-1)?.devices ?? 1];
  const shares = points.map(({ serialShare }) => serialShare);
  const middle = median(shares.map(Math.abs));
  const change = (median(slopes) * Math.log2(last / first)) / middle;
  if (Math.abs(change) < changeMin) {
    const centre = median(shares);
    const scatter = shares.reduce((sum, share) => sum + Math.abs(share - centre), 0);
    return scatter <= changeMin * middle * shares.length ? "flat" : undefined;
  }
  const agreement = slopes.reduce((sum, slope) => sum + Math.sign(slope), 0) / slopes.length;
  if (Math.abs(agreement) < agreementMin) return undefined;
  return change > 0 ? "rising" : "falling";
}

/** Points at which something is lost; where nothing is, the share is all noise. At least the last three. */
function telling(curve: ScalingCurve, all: KarpFlatt["points"]): KarpFlatt["points"] {
  const lost = new Map(curve.points.map(({ devices, efficiency }) => [devices, 1 - efficiency]));
  const most = Math.max(...lost.values());
  const telling = all.filter(({ devices }) => (lost.get(devices) ?? 0) >= tellingShare * most);
  return telling.length < pointsMin ? all.slice(-pointsMin) : telling;
}

const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;

interface Seen {
  /** At the largest count, as its efficiency. */
  readonly serialShare: number;
  readonly efficiency: number;
}

const readings: Readonly<Record<KarpFlatt["trend"], (seen: Seen) => string>> = {
  rising: () =>
    "The serial share rises with devices: what is lost grows with their number, as communication and waiting do, and is not serial work.",
  flat: ({ serialShare }) =>
    `The serial share stays the same: ${percent(serialShare)} of serial work explains the loss.`,
  falling: () =>
    "The serial share falls with devices: a cost of the first few, paid once, rather than one that grows.",
  none: ({ efficiency }) =>
    efficiency > aboveIdealFrom
      ? "More than ideal: nothing is lost against the smallest count, which is held back itself."
      : "Hardly anything is lost, so there is no serial share to explain.",
};
