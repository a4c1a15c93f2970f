import { describe, expect, it } from "vitest";
import { randn } from "../../../../src/runtime/tensor/create.ts";
import {
  addGradients,
  chainGradients,
  exactGradients,
  initParams,
  lossAndExactGradients,
  lossAndGradients,
  roundGradients,
  type StageBackward,
  splitStages,
  stageBackward,
  stageForward,
  transformerLayers,
} from "../../../../src/runtime/tensor/nn/index.ts";
import {
  add,
  crossEntropyBackward,
  ExactTensor,
  totalLoss,
} from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { partOf, sequences } from "./tasks.ts";

const config = { vocabulary: 11, positions: 6, width: 8, heads: 2, blocks: 3 };
const layers = transformerLayers(config);
const params = initParams(layers, 7);
const batch = sequences({ batch: 6, positions: 6, vocabulary: 11, seed: 8 });

function digests(tensors: Readonly<Record<string, Tensor>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tensors)
      .map(([name, tensor]) => [name, tensor.digest()] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

describe("a batch", () => {
  const { output } = stageForward(layers, params, batch.inputs);

  it("gives each sequence the logits it has alone", () => {
    for (let row = 0; row < 6; row++) {
      const alone = stageForward(
        layers,
        params,
        batch.inputs.slice([{ start: row, stop: row + 1 }]),
      );
      expect(alone.output.digest()).toBe(output.slice([{ start: row, stop: row + 1 }]).digest());
    }
  });

  it("gives each position the logits it has without what follows", () => {
    const cut = stageForward(layers, params, batch.inputs.slice([null, { stop: 4 }]));
    expect(cut.output.digest()).toBe(output.slice([null, { stop: 4 }]).digest());
  });

  it("is refused when it is longer than the model, or its tokens are unknown", () => {
    const error = expect.objectContaining({ code: "E_SHAPE" });
    const long = sequences({ batch: 1, positions: 7, vocabulary: 11, seed: 1 });
    const strange = sequences({ batch: 1, positions: 6, vocabulary: 50, seed: 1 });
    expect(() => stageForward(layers, params, long.inputs)).toThrow(error);
    expect(() => stageForward(layers, params, strange.inputs)).toThrow(error);
    expect(() => stageForward(layers, params, randn([6]))).toThrow(error);
  });
});

describe("a pipeline", () => {
  it.each([1, 2, 3, 5])("of %i stages has the loss and gradients of the whole model", (count) => {
    const whole = lossAndGradients(layers, params, batch);
    const stages = splitStages(layers, count);
    // Every stage has only its own parameters, made on the spot.
    const own = stages.map((stage) => initParams(stage, 7));
    let x = batch.inputs;
    const forwards = stages.map((stage, i) => {
      const done = stageForward(stage, own[i] ?? {}, x);
      x = done.output;
      return done;
    });
    let gradient: Tensor | undefined = crossEntropyBackward(x, batch.targets);
    let gradients = {};
    for (const [i, stage] of [...stages.entries()].toReversed()) {
      const done: StageBackward<Tensor> = stageBackward(stage, {
        params: own[i] ?? {},
        saved: forwards[i]?.saved ?? [],
        gradient: gradient as Tensor,
        rule: chainGradients,
      });
      gradient = done.input;
      gradients = addGradients(chainGradients, gradients, done.gradients);
    }
    expect(gradient).toBeUndefined();
    expect(digests(gradients)).toEqual(digests(whole.gradients));
  });

  it("cannot have more stages than layers", () => {
    expect(splitStages(layers, 2).map((stage) => stage.length)).toEqual([3, 2]);
    expect(() => splitStages(layers, 6)).toThrow(/5 layers/);
    expect(() => splitStages(layers, 0)).toThrow(/5 layers/);
  });
});

describe("a batch that is cut into parts", () => {
  const whole = lossAndExactGradients(layers, params, batch);
  const cuts: [number, number][][] = [
    [
      [0, 3],
      [3, 6],
    ],
    [
      [5, 6],
      [0, 1],
      [1, 5],
    ],
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
  ];

  it.each(cuts.map((cut) => [cut]))("%j has the exact loss and gradients of the whole", (cut) => {
    const parts = cut.map(([start, stop]) =>
      lossAndExactGradients(layers, params, partOf(batch, start, stop)),
    );
    const sum = parts
      .map(({ gradients }) => gradients)
      .reduce((one, other) => addGradients(exactGradients, one, other));
    const rounded = roundGradients(sum, params);
    expect(digests(rounded)).toEqual(digests(roundGradients(whole.gradients, params)));
    expect(totalLoss(parts.map(({ rowLosses }) => rowLosses))).toBe(whole.loss);
  });

  it("can be reduced as limbs, as an all-reduce would", () => {
    const parts = [partOf(batch, 0, 2), partOf(batch, 2, 6)].map(
      (part) => lossAndExactGradients(layers, params, part).gradients,
    );
    for (const [name, expected] of Object.entries(whole.gradients)) {
      const limbs = parts.map((gradients) => (gradients[name] as ExactTensor).limbs).reduce(add);
      const sum = ExactTensor.fromLimbs(limbs, { dtype: expected.dtype });
      expect(sum.limbs.digest()).toBe(expected.limbs.digest());
    }
  });

  it("has other bits when the gradients of the parts are rounded before they are added", () => {
    const [one, other] = [partOf(batch, 0, 3), partOf(batch, 3, 6)].map(
      (part) => lossAndGradients(layers, params, part).gradients,
    );
    const sum = addGradients(chainGradients, one ?? {}, other ?? {});
    expect(digests(sum)).not.toEqual(digests(lossAndGradients(layers, params, batch).gradients));
  });
});
