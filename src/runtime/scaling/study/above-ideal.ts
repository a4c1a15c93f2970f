import { aboveIdealFrom } from "../fits/curve.ts";
import type { ScalingCurve } from "../fits/index.ts";

/** A note where efficiency is above ideal: that is no gain of many devices but a loss of few. */
export function aboveIdealNotes(
  { points, baseDevices }: ScalingCurve,
  cause: string,
): readonly string[] {
  if (points.every(({ efficiency }) => efficiency <= aboveIdealFrom)) return [];
  const base = `${baseDevices} device${baseDevices === 1 ? " is" : "s are"}`;
  return [`Efficiency above 100 %: ${base} held back, ${cause}; a larger base would be fairer.`];
}
