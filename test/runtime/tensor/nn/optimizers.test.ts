import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  adamWStart,
  adamWStep,
  initParams,
  mlpLayers,
  type Params,
  sgdStep,
} from "../../../../src/runtime/tensor/nn/index.ts";

const f64 = { dtype: "f64" } as const;

describe("a step of gradient descent", () => {
  const params = { w: fromValues([1, -2], f64), frozen: fromValues([5], f64) };
  const gradients = { w: fromValues([0.5, 0.25], f64) };

  it("goes against the gradient and leaves what has none", () => {
    const { params: next, state } = sgdStep(
      { params, gradients, state: {} },
      { learningRate: 0.5 },
    );
    expect(next["w"]?.toArray()).toEqual([0.75, -2.125]);
    expect(next["frozen"]).toBe(params.frozen);
    expect(state).toEqual({});
    expect(params.w.toArray()).toEqual([1, -2]);
  });

  it("keeps momentum and decays weights", () => {
    const options = { learningRate: 0.5, momentum: 0.5, weightDecay: 0.25 };
    const first = sgdStep({ params, gradients, state: {} }, options);
    expect(first.state["w"]?.toArray()).toEqual([0.75, -0.25]);
    expect(first.params["w"]?.toArray()).toEqual([0.625, -1.875]);
    const second = sgdStep({ params: first.params, gradients, state: first.state }, options);
    expect(second.state["w"]?.toArray()).toEqual([
      0.5 * 0.75 + (0.5 + 0.25 * 0.625),
      0.5 * -0.25 + (0.25 + 0.25 * -1.875),
    ]);
  });

  it("is refused for a gradient of another shape or of no parameter", () => {
    const step = (gradients: Params) => () =>
      sgdStep({ params, gradients, state: {} }, { learningRate: 1 });
    expect(step({ w: fromValues([1]) })).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    expect(step({ other: fromValues([1]) })).toThrow(/no tensor other/);
  });
});

describe("a step of AdamW", () => {
  it("first moves every parameter by the learning rate, whatever the gradient's size", () => {
    const params = { w: fromValues([1, 1, 1], f64) };
    const gradients = { w: fromValues([1e-3, -7, 100], f64) };
    const { params: next, state } = adamWStep(
      { params, gradients, state: adamWStart },
      { learningRate: 0.125, weightDecay: 0, epsilon: 0 },
    );
    for (const [i, value] of (next["w"]?.toNumbers() ?? []).entries()) {
      expect(value).toBeCloseTo(i === 1 ? 1.125 : 0.875, 12);
    }
    expect(state.step).toBe(1);
    expect(adamWStart.step).toBe(0);
  });

  it("takes weight decay from the parameter and not from the gradient", () => {
    const params = { w: fromValues([4], f64) };
    const gradients = { w: fromValues([0], f64) };
    const options = { learningRate: 0.5, weightDecay: 0.25 };
    const { params: next } = adamWStep({ params, gradients, state: adamWStart }, options);
    expect(next["w"]?.toArray()).toEqual([3.5]);
  });

  it("follows the formula over several steps", () => {
    const options = { learningRate: 0.1, beta1: 0.8, beta2: 0.9, epsilon: 1e-6, weightDecay: 0.05 };
    let params: Params = { w: fromValues([0.7], f64) };
    let state = adamWStart;
    let [p, m, s] = [0.7, 0, 0];
    for (const [t, g] of [0.3, -0.2, 0.5, 0.1].entries()) {
      ({ params, state } = adamWStep(
        { params, gradients: { w: fromValues([g], f64) }, state },
        options,
      ));
      m = 0.8 * m + 0.2 * g;
      s = 0.9 * s + 0.1 * g * g;
      const mean = m / (1 - 0.8 ** (t + 1));
      const square = s / (1 - 0.9 ** (t + 1));
      p -= 0.1 * (mean / (Math.sqrt(square) + 1e-6) + 0.05 * p);
    }
    expect(params["w"]?.item()).toBeCloseTo(p, 12);
  });

  it("keeps its means in f32 for short formats, and each result in its own dtype", () => {
    const params = { w: fromValues([1], { dtype: "bf16" }) };
    const gradients = { w: fromValues([2 ** -9], { dtype: "bf16" }) };
    const { params: next, state } = adamWStep(
      { params, gradients, state: adamWStart },
      { learningRate: 0.1 },
    );
    expect(next["w"]?.dtype).toBe("bf16");
    expect(state.squares["w"]?.dtype).toBe("f32");
    expect(state.squares["w"]?.item()).toBeGreaterThan(0);
  });
});

describe("parameters at the start", () => {
  const layers = mlpLayers({ inputs: 64, hidden: [32], outputs: 8 });

  it("depend on the seed and the name alone", () => {
    const all = initParams(layers, 3);
    const last = initParams(layers.slice(1), 3);
    expect(last["layers.1.weight"]?.digest()).toBe(all["layers.1.weight"]?.digest());
    expect(initParams(layers, 4)["layers.0.weight"]?.digest()).not.toBe(
      all["layers.0.weight"]?.digest(),
    );
  });

  it("are spread so that sums stay of the size of their inputs", () => {
    const values = initParams(layers, 3)["layers.0.weight"]?.toNumbers() ?? randn([0]).toNumbers();
    const variance = values.reduce((sum, value) => sum + value * value, 0) / values.length;
    expect(variance * 64).toBeGreaterThan(0.9);
    expect(variance * 64).toBeLessThan(1.1);
  });
});
