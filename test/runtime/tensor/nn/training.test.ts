import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import type { DType } from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  type AdamWState,
  adamWStart,
  adamWStep,
  initParams,
  type Layer,
  lossAndGradients,
  lossOf,
  mlpLayers,
  type Params,
  sgdStep,
  transformerLayers,
} from "../../../../src/runtime/tensor/nn/index.ts";
import { sequences } from "./tasks.ts";

const config = { vocabulary: 13, positions: 8, width: 12, heads: 2, blocks: 2 };

interface Trained {
  readonly params: Params;
  readonly state: AdamWState;
  readonly losses: readonly number[];
}

function train(
  layers: readonly Layer[],
  from: Pick<Trained, "params" | "state">,
  steps: { readonly start: number; readonly stop: number },
): Trained {
  let { params, state } = from;
  const losses: number[] = [];
  for (let step = steps.start; step < steps.stop; step++) {
    const batch = sequences({ batch: 8, positions: 8, vocabulary: 13, seed: step });
    const { loss, gradients } = lossAndGradients(layers, params, batch);
    losses.push(loss);
    ({ params, state } = adamWStep({ params, gradients, state }, { learningRate: 0.02 }));
  }
  return { params, state, losses };
}

function digestOfParams(params: Params): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(params).toSorted())
    hash.update(`${name} ${params[name]?.digest()}\n`);
  return hash.digest("hex");
}

describe("a transformer that learns which token follows which", () => {
  const layers = transformerLayers(config);
  const start = { params: initParams(layers, 42), state: adamWStart };
  const trained = train(layers, start, { start: 0, stop: 30 });

  it("starts at the loss of guessing and gets it", () => {
    expect(trained.losses[0]).toBeGreaterThan(2);
    expect(trained.losses.at(-1)).toBeLessThan(0.3);
  });

  it("has the same weights on every machine and every Node", () => {
    expect(digestOfParams(trained.params)).toBe(
      "7e373679564af4f449adcbfff1465465225713e96f4c7e59629af1c1829cd01c",
    );
  });

  it("has the same weights when it stops halfway and goes on from what was saved", () => {
    const half = train(layers, start, { start: 0, stop: 15 });
    const rest = train(layers, half, { start: 15, stop: 30 });
    expect(digestOfParams(rest.params)).toBe(digestOfParams(trained.params));
  });

  it("has other weights from another seed", () => {
    const other = train(
      layers,
      { ...start, params: initParams(layers, 43) },
      { start: 0, stop: 1 },
    );
    const one = train(layers, start, { start: 0, stop: 1 });
    expect(digestOfParams(other.params)).not.toBe(digestOfParams(one.params));
  });
});

describe("a transformer in a shorter format", () => {
  it.each<DType>(["bf16", "f16"])("learns in %s too", (dtype) => {
    const layers = transformerLayers({ ...config, blocks: 1, dtype });
    const start = { params: initParams(layers, 42), state: adamWStart };
    const { losses } = train(layers, start, { start: 0, stop: 20 });
    expect(losses.at(-1)).toBeLessThan(1);
  });
});

describe("a perceptron", () => {
  it("learns which of two features is larger by gradient descent", () => {
    const layers = mlpLayers({ inputs: 2, hidden: [8], outputs: 2, activation: "relu" });
    const inputs = randn([64, 2], { seed: 1 });
    const targets = fromValues(
      Array.from({ length: 64 }, (_, row) => (inputs.at(row, 0) > inputs.at(row, 1) ? 0 : 1)),
      { dtype: "i32" },
    );
    let params = initParams(layers, 5);
    let state: Params = {};
    const before = lossOf(layers, params, { inputs, targets }).loss;
    for (let step = 0; step < 60; step++) {
      const { gradients } = lossAndGradients(layers, params, { inputs, targets });
      ({ params, state } = sgdStep(
        { params, gradients, state },
        { learningRate: 0.3, momentum: 0.9 },
      ));
    }
    expect(before).toBeGreaterThan(0.4);
    expect(lossOf(layers, params, { inputs, targets }).loss).toBeLessThan(0.1);
  });
});
