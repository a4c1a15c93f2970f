import assert from "node:assert/strict";
import type { RngStream } from "../../../platform/rng/index.ts";
import { quantile } from "./curve.ts";
import type { Interval, ScalingSample } from "./types.ts";

/** Every count again, with as many runs as it had, drawn from its own. */
export function drawRuns(
  samples: readonly ScalingSample[],
  stream: RngStream,
): readonly ScalingSample[] {
  return samples.map((sample) => ({
    ...sample,
    timesS: sample.timesS.map(() => stream.pick(sample.timesS)),
  }));
}

/** Where the middle share of all values lies. */
export function intervalOf(values: readonly number[], level: number): Interval {
  assert(level > 0 && level < 1, "a level lies between 0 and 1");
  const tail = (1 - level) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}
