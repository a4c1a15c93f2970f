import { log } from "../../tensor/math/index.ts";
import { inverseNormal } from "../../tensor/random/inverse-normal.ts";

/**
 * The root mean square of a rounding error, in units of the largest one, for numbers whose
 * logarithms are spread evenly. 0.425 as in the reference measurements; 0.42 by integration.
 */
export const rmsRounding = 0.425;

/**
 * How many standard deviations a threshold needs so that among this many checks of right data so
 * many alarms are expected, on both sides together.
 *
 * @param options.tails 1 counts one side only, as published tables do @default 2
 */
export function zForChecks(
  checks: number,
  { falseAlarms = 1, tails = 2 }: { readonly falseAlarms?: number; readonly tails?: 1 | 2 } = {},
): number {
  const chance = Math.min(0.5, falseAlarms / (tails * Math.max(1, checks)));
  if (chance >= 2 ** -33) return -inverseNormal(chance);
  // Beyond what the inverse is made for: x with exp(-x²/2) / (x √(2π)) (1 - 1/x²) = chance, by fixed point.
  let z = 6.5;
  for (let step = 0; step < 40; step++) {
    const factor = (1 - 1 / (z * z)) / (z * Math.sqrt(2 * Math.PI));
    z = Math.sqrt(2 * (log(factor) - log(chance)));
  }
  return z;
}

/**
 * How far the signed sum of a row may be off that was rounded to a short format: the roundings of its
 * elements add up like a random walk. This holds for all kinds of numbers without calibration, but
 * sees only large errors.
 */
export function roundedRowThreshold(
  norm: number,
  { z, unit }: { readonly z: number; readonly unit: number },
): number {
  return z * rmsRounding * unit * norm;
}
