import type { RandomSpec } from "../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine/engine.ts";
import { checkProductSample } from "../verify/check-product.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { sampleIndices } from "./sample.ts";

interface LinearSize {
  readonly tokens: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** A layer x Wᵀ with its gradients of input, weight and bias: three products and a sum over rows. */
export const linearCase: DlCase = defineCase<LinearSize>({
  name: "linear",
  title: "Linear layer forward and backward in bf16",
  styles: ["repeat", "golden", "tolerance"],
  size: (request) => {
    const [tokens, inputs, outputs] = sizeOf(
      {
        cuda: { quick: [4096, 4096, 14336], standard: [8192, 8192, 28672] },
        cpu: { quick: [128, 128, 448], standard: [256, 256, 896] },
      },
      request,
    ) as readonly [number, number, number];
    const { scale } = request;
    return {
      tokens: scaled(tokens, scale),
      inputs: scaled(inputs, scale),
      outputs: scaled(outputs, scale),
    };
  },
  describe: ({ tokens, inputs, outputs }) => `${tokens}x${inputs}->${outputs} bf16`,
  iterations: { cuda: 20, cpu: 5 },
  prepare: ({ engine, seed }, { tokens, inputs, outputs }) => {
    const source = (stream: string) => {
      const spec: RandomSpec = { kind: "symmetric", seed, stream: `linear ${stream}` };
      return { spec, dtype: "bf16" as const };
    };
    const [x, weight] = [source("x"), source("weight")];
    const ofX = engine.random([tokens, inputs], x);
    const ofWeight = engine.random([outputs, inputs], weight);
    const gradient = engine.random([tokens, outputs], source("gradient"));
    const compute = (of: DlEngine<typeof ofX>) => ({
      output: of.matmul(ofX, ofWeight, { transposeB: true }),
      ofInput: of.matmul(gradient, ofWeight),
      ofWeight: of.matmul(gradient, ofX, { transposeA: true }),
      ofBias: of.sumRows(gradient),
    });
    return {
      compute,
      verify: ({ output }) => {
        if (output === undefined) return [];
        const rows = new Map(
          sampleIndices(tokens, 4, seed).map((row) => [
            row,
            engine.download(output, { start: row, count: 1 }),
          ]),
        );
        const columns = sampleIndices(outputs, 4, seed);
        return checkProductSample({
          format: "bf16",
          a: x,
          b: weight,
          inner: inputs,
          rows,
          columns,
        });
      },
      figure: {
        name: "linear_ms",
        unit: "ms",
        higherIsBetter: false,
        fromMs: (timeMs) => timeMs,
      },
    };
  },
});
