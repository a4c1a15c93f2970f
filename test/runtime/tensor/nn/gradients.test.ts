import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  type Batch,
  initParams,
  type Layer,
  lossAndExactGradients,
  lossAndGradients,
  lossOf,
  mlpLayers,
  type Params,
  roundGradients,
  type TransformerConfig,
  transformerLayers,
} from "../../../../src/runtime/tensor/nn/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { differences, distance } from "../ops/differences.ts";
import { sequences } from "./tasks.ts";

/** Parameters that are nowhere special: a gain of 1 or a bias of 0 could hide a mistake. */
function shaken(layers: readonly Layer[]): Params {
  const params = initParams(layers, 1);
  return Object.fromEntries(
    Object.entries(params).map(([name, tensor], index) => {
      const noise = randn(tensor.shape, { seed: 2, stream: index }).toNumbers();
      const values = tensor.toNumbers().map((value, i) => value + 0.1 * (noise[i] as number));
      return [name, fromValues(values, { shape: tensor.shape, dtype: "f64" })];
    }),
  );
}

/** `smooth` is the same model, perhaps summed in another way, to take differences of. */
function expectTrueGradients(
  layers: readonly Layer[],
  batch: Batch,
  smooth: readonly Layer[] = layers,
): void {
  const params = shaken(layers);
  const { gradients } = lossAndGradients(layers, params, batch);
  const exact = roundGradients(lossAndExactGradients(layers, params, batch).gradients, params);
  expect(Object.keys(gradients).toSorted()).toEqual(Object.keys(params).toSorted());
  const one = fromValues(1, { dtype: "f64" });
  for (const [name, tensor] of Object.entries(params)) {
    const loss = (moved: Tensor): Tensor =>
      fromValues(lossOf(smooth, { ...params, [name]: moved }, batch).loss, { dtype: "f64" });
    const expected = differences(loss, tensor, one);
    expect(distance(gradients[name]?.toNumbers() ?? [], expected), name).toBeLessThan(1e-8);
    expect(distance(exact[name]?.toNumbers() ?? [], expected), name).toBeLessThan(1e-8);
  }
}

describe("gradients agree with differences of the loss", () => {
  it.each(["relu", "gelu", "silu"] as const)("for a perceptron with %s", (activation) => {
    const layers = mlpLayers({ inputs: 4, hidden: [5, 3], outputs: 3, activation, dtype: "f64" });
    const inputs = randn([6, 4], { seed: 3, dtype: "f64" });
    const targets = fromValues([0, 2, 1, 1, 0, 2], { dtype: "i32" });
    expectTrueGradients(layers, { inputs, targets });
  });

  const tiny = { vocabulary: 5, positions: 4, width: 4, heads: 2, blocks: 1, hidden: 6 };

  const batch = sequences({ batch: 2, positions: 3, vocabulary: 5, seed: 4 });

  it.each<[string, Partial<TransformerConfig>]>([
    ["tied, layer norm", {}],
    ["untied, RMS norm, no biases", { tied: false, norm: "rms", bias: false, activation: "silu" }],
    ["with two blocks and exact products", { blocks: 2, accumulate: "exact", heads: 1 }],
  ])("for a transformer, %s", (_, config) => {
    const given = { ...tiny, ...config, dtype: "f64" } as const;
    const smooth = transformerLayers({ ...given, accumulate: "chain" });
    expectTrueGradients(transformerLayers(given), batch, smooth);
  });
});
