import { describe, expect, it } from "vitest";
import { randn } from "../../../../src/runtime/tensor/create.ts";
import {
  chainGradients,
  initParams,
  mlpLayers,
  type Params,
  stageBackward,
  stageForward,
} from "../../../../src/runtime/tensor/nn/index.ts";
import {
  add,
  ExactTensor,
  gelu,
  geluBackward,
  matmul,
  matmulExact,
} from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";

const shards = 3;
const hidden = 12;
const layers = mlpLayers({ inputs: 8, hidden: [hidden], outputs: 5, accumulate: "exact" });
const params: Params = {
  ...initParams(layers, 1),
  "layers.0.bias": randn([hidden], { seed: 2 }),
  "layers.1.bias": randn([5], { seed: 5 }),
};
const x = randn([7, 8], { seed: 3 });
const gradient = randn([7, 5], { seed: 4 });

/** What each device has: columns of the first weight, the same rows of the second. */
const devices = Array.from({ length: shards }, (_, i) => {
  const range = { start: (i * hidden) / shards, stop: ((i + 1) * hidden) / shards };
  return {
    range,
    up: params["layers.0.weight"]?.slice([null, range]) as Tensor,
    bias: params["layers.0.bias"]?.slice([range]) as Tensor,
    down: params["layers.1.weight"]?.slice([range]) as Tensor,
  };
});

/** A sum over devices, which an all-reduce of f64 limbs would do. */
function combine(parts: readonly ExactTensor[]): Tensor {
  const limbs = parts.map((part) => part.limbs).reduce(add);
  return ExactTensor.fromLimbs(limbs, { dtype: "f32" }).round("f32");
}

function sumsOn({ up, bias }: (typeof devices)[number]): Tensor {
  return add(matmul(x, up, { accumulate: "exact" }), bias);
}

describe("a perceptron split over devices, first weight by columns, second by rows,", () => {
  const dense = stageForward(layers, params, x);
  const back = stageBackward(layers, {
    params,
    saved: dense.saved,
    gradient,
    rule: chainGradients,
  });

  it("has the output of the dense one, bit for bit", () => {
    const parts = devices.map((device) => matmulExact(gelu(sumsOn(device)), device.down));
    const output = add(combine(parts), params["layers.1.bias"] as Tensor);
    expect(output.digest()).toBe(dense.output.digest());
  });

  it("has the gradient of the dense one's input, bit for bit, and its shards of the weights'", () => {
    const parts = devices.map((device) => {
      const ofActive = matmul(gradient, device.down.transpose(), { accumulate: "exact" });
      const ofSums = geluBackward(ofActive, sumsOn(device));
      const ofUp = matmul(x.transpose(), ofSums);
      const expected = back.gradients["layers.0.weight"]?.slice([null, device.range]);
      expect(ofUp.digest()).toBe(expected?.digest());
      return matmulExact(ofSums, device.up.transpose());
    });
    expect(combine(parts).digest()).toBe(back.input?.digest());
  });

  it("has other bits when the devices round their products before they are added", () => {
    const rounded = devices.map((device) => matmul(gelu(sumsOn(device)), device.down)).reduce(add);
    const output = add(rounded, params["layers.1.bias"] as Tensor);
    expect(output.digest()).not.toBe(dense.output.digest());
  });
});
