import { median } from "./curve.ts";
import type { Fitted, KarpFlatt, ScalingCurve } from "./types.ts";

const pointsMin = 3;
/** From first to last the share must change by so much of its middle to count as a trend. */
const changeMin = 0.25;
/** Counts that lose less than this share of the most that is lost say nothing about why. */
const tellingShare = 0.25;
/** With this efficiency at the largest count there is nothing to explain. */
const efficiencyGood = 0.98;

/** e = (1/S - 1/N)/(1 - 1/N): the serial share that would explain one point by itself. */
export function serialShareOf(speedUp: number, relativeDevices: number): number {
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
  const judged = telling(curve, points);
  const trend = trendOf(curve, judged);
  const judgedFrom = judged[0]?.devices ?? 0;
  const last = points.at(-1)?.serialShare ?? 0;
  return { status: "fitted", points, trend, judgedFrom, reading: readings[trend](last) };
}

function trendOf(curve: ScalingCurve, points: KarpFlatt["points"]): KarpFlatt["trend"] {
  if ((curve.points.at(-1)?.efficiency ?? 0) >= efficiencyGood) return "none";
  const slopes: number[] = [];
  for (const [at, one] of points.entries()) {
    for (const other of points.slice(at + 1)) {
      const doublings = Math.log2(other.devices / one.devices);
      slopes.push((other.serialShare - one.serialShare) / doublings);
    }
  }
  const [first, last] = [points[0]?.devices ?? 1, points.at(-1)?.devices ?? 1];
  const middle = median(points.map(({ serialShare }) => Math.abs(serialShare)));
  const change = (median(slopes) * Math.log2(last / first)) / middle;
  if (Math.abs(change) < changeMin) return "flat";
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

const readings: Readonly<Record<KarpFlatt["trend"], (last: number) => string>> = {
  rising: () =>
    "The serial share rises with devices: what is lost grows with their number, as communication and waiting do, and is not serial work.",
  flat: (last) =>
    `The serial share stays the same: ${percent(last)} of serial work explains the loss.`,
  falling: () =>
    "The serial share falls with devices: a cost of the first few, paid once, rather than one that grows.",
  none: () => "Hardly anything is lost, so there is no serial share to explain.",
};
