import { describe, expect, it } from "vitest";
import { stateDigest } from "../../../src/chaos/numerics/index.ts";
import { fromValues } from "../../../src/runtime/tensor/index.ts";

const state = (changes: object = {}) => ({
  step: 3,
  model: { weight: fromValues([1, 2, 3, 4], { dtype: "f32", shape: [2, 2] }) },
  optimizer: {
    step: 3,
    means: { weight: fromValues([0, 0, 0, 0], { dtype: "f32", shape: [2, 2] }) },
  },
  rng: { seed: "a", drawn: 12 },
  data: { epoch: 0, position: 5, seed: "a" },
  hyper: { lossScale: 1, goodSteps: 0 },
  ...changes,
});

describe("the digest of a state", () => {
  it("does not depend on the order of names", () => {
    const { step, model, ...rest } = state();
    expect(stateDigest({ ...rest, model, step })).toBe(stateDigest(state()));
  });

  it.each([
    [
      "a parameter",
      { model: { weight: fromValues([1, 2, 3, 5], { dtype: "f32", shape: [2, 2] }) } },
    ],
    ["its name", { model: { bias: fromValues([1, 2, 3, 4], { dtype: "f32", shape: [2, 2] }) } }],
    ["its shape", { model: { weight: fromValues([1, 2, 3, 4], { dtype: "f32", shape: [4] }) } }],
    ["the step", { step: 4 }],
    ["the optimizer's step", { optimizer: { ...state().optimizer, step: 2 } }],
    ["numbers drawn", { rng: { seed: "a", drawn: 13 } }],
    ["the cursor", { data: { epoch: 0, position: 6, seed: "a" } }],
    ["the sign of a zero", { hyper: { lossScale: 1, goodSteps: -0 } }],
    ["the kind of a value", { step: "3" }],
  ])("is another one with another %s", (_, changes) => {
    expect(stateDigest(state(changes))).not.toBe(stateDigest(state()));
  });

  it("begins with its kind", () => {
    expect(stateDigest(state())).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
