import { conversionFactor } from "../../validation/classify/units.ts";

/**
 * What turns a value of one unit into another; undefined when nothing does. What has no unit is taken
 * as it is.
 */
export function factorBetween(from: string, to: string): number | undefined {
  return from === "" || to === "" || from === to ? 1 : conversionFactor(from, to);
}
