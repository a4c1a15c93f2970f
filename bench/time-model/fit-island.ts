import { fitForms } from "../../src/runtime/dist/time-model/calibrate/fit-form.ts";
import { type IslandCalibration, islandFormOf } from "../../src/runtime/dist/time-model/island.ts";
import { coreOps } from "../../src/runtime/dist/time-model/library-choice.ts";
import type { Curve } from "./curves.ts";

/** The constants of a board of eight from its curves. */
export function fitIsland(curves: readonly Curve[], kind: "switched" | "mesh"): IslandCalibration {
  const fitted = coreOps.map((op) => {
    const points = curves.filter((curve) => curve.op === op).flatMap((curve) => curve.points);
    return [op, fitForms([{ form: islandFormOf(op, kind === "switched"), points }]) ?? {}];
  });
  return Object.fromEntries(fitted) as IslandCalibration;
}
