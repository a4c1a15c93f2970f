import assert from "node:assert/strict";
import { createRng } from "../../../platform/rng/index.ts";
import { type DType, fromValues } from "../../tensor/index.ts";
import { fraction, type Task } from "./task.ts";

/**
 * Points of [-1, 1)^features and which of some fixed random directions each lies along most. `noise`
 * moves every feature by up to so much.
 */
export function classesTask(o: {
  readonly features: number;
  readonly classes: number;
  readonly seed: string;
  readonly noise: number;
  readonly dtype: DType;
}): Task {
  const { features, classes, seed, noise, dtype } = o;
  assert(features >= 1 && classes >= 2, "points have features and belong to one of two classes");
  const rng = createRng(seed);
  const points = rng.stream("points");
  const away = rng.stream("directions");
  const directions = Float64Array.from(
    { length: classes * features },
    (_, at) => 2 * fraction(away.at(at)) - 1,
  );
  return {
    drawsPerSample: noise === 0 ? 0 : features,
    targetsPerSample: 1,
    rows: (ids, random) => {
      const drawn = createRng(random.seed).stream("noise");
      const inputs = new Float64Array(ids.length * features);
      const targets = new Int32Array(ids.length);
      for (const [row, { index }] of ids.entries()) {
        const at = row * features;
        for (let f = 0; f < features; f++) {
          inputs[at + f] = 2 * fraction(points.at(index * features + f)) - 1;
        }
        targets[row] = classOf(inputs.subarray(at, at + features), directions);
        if (noise === 0) continue;
        for (let f = 0; f < features; f++) {
          const moved = noise * (2 * fraction(drawn.at(random.drawn + at + f)) - 1);
          inputs[at + f] = (inputs[at + f] as number) + moved;
        }
      }
      return {
        inputs: fromValues(inputs, { dtype, shape: [ids.length, features] }),
        targets: fromValues(targets, { dtype: "i32" }),
      };
    },
  };
}

function classOf(point: Float64Array, directions: Float64Array): number {
  let [best, bestLength] = [0, -Infinity];
  for (let c = 0; c * point.length < directions.length; c++) {
    const length = point.reduce(
      (sum, x, f) => sum + x * (directions[c * point.length + f] as number),
      0,
    );
    if (length > bestLength) [best, bestLength] = [c, length];
  }
  return best;
}
