import assert from "node:assert/strict";
import type { DomainModel } from "./domain.ts";
import { type Form, type Weights, weigh } from "./forms/form.ts";
import { inSwitchDevicesMin, islandForm } from "./forms/island.ts";
import { type CoreOp, coreOps } from "./library-choice.ts";

/** What is fitted for a board of eight: one set of weights for each collective. */
export type IslandCalibration = Readonly<Record<CoreOp, Weights>>;

/** The form of a collective on a board. */
export function islandFormOf(op: CoreOp, withSwitch: boolean): Form {
  return islandForm(op === "all-reduce" ? 2 : 1, withSwitch);
}

/** Eight GPUs on one board, joined by switches or by a direct link for each pair. */
export function createIslandModel(
  calibration: IslandCalibration,
  options: {
    readonly kind: "switched" | "mesh";
    /** The largest size that was measured. */
    readonly bytesMax: number;
  },
): DomainModel {
  const weighed = (withSwitch: boolean) =>
    new Map(coreOps.map((op) => [op, weigh(islandFormOf(op, withSwitch), calibration[op])]));
  const [helpedTimes, ownTimes] = [weighed(true), weighed(false)];
  return {
    timeOf: ({ op, devices, bytes, only }) => {
      const withSwitch = options.kind === "switched" && only !== "ring";
      const timeOf = (withSwitch ? helpedTimes : ownTimes).get(op);
      assert(timeOf !== undefined, "every collective is weighed");
      const timeUs = timeOf({ devices, bytes });
      if (op === "all-to-all") return { timeUs, algorithm: "pairwise" };
      if (options.kind === "mesh") return { timeUs, algorithm: "direct" };
      const helped = op === "all-reduce" && withSwitch && devices >= inSwitchDevicesMin;
      return { timeUs, algorithm: helped || only === "nvls" ? "nvls" : "ring" };
    },
    covers: ({ devices, bytes }) =>
      devices >= 2 && devices <= 8 && bytes >= 1024 && bytes <= options.bytesMax,
  };
}
