import type { DType, RandomSpec } from "../../../../runtime/tensor/index.ts";
import { dtypeInfo } from "../../../../runtime/tensor/index.ts";
import type { DlEngine, NormKind } from "../engine/engine.ts";
import { checkRow } from "../verify/check-rows.ts";
import { randomValues } from "../verify/random-values.ts";
import { normRow } from "../verify/references.ts";
import { toleranceOf } from "../verify/tolerance.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { sampleIndices } from "./sample.ts";

/** Norms with their gradients, in both formats that training uses. */
export const normCases: readonly DlCase[] = [
  normCase("layer", "bf16", "norm_gbps"),
  normCase("layer", "f32"),
  normCase("rms", "bf16"),
  normCase("rms", "f32"),
];

function normCase(kind: NormKind, dtype: DType, figure?: string): DlCase {
  const title = `${kind === "layer" ? "LayerNorm" : "RMSNorm"} forward and backward in ${dtype}`;
  return defineCase<{ readonly rows: number; readonly width: number }>({
    name: `norm-${kind}-${dtype}`,
    title,
    styles: ["repeat", "golden", "tolerance"],
    size: (request) => {
      const side = sizeOf(
        { cuda: { quick: 8192, standard: 8192 }, cpu: { quick: 128, standard: 384 } },
        request,
      );
      return { rows: scaled(side, request.scale), width: scaled(side, request.scale) };
    },
    describe: ({ rows, width }) => `${rows}x${width}`,
    iterations: { cuda: 20, cpu: 5 },
    prepare: ({ engine, seed }, { rows, width }) => {
      const source = (stream: string) => {
        const spec: RandomSpec = { kind: "symmetric", seed, stream: `norm ${stream}` };
        return { spec, dtype };
      };
      const [x, gain] = [source("x"), source("gain")];
      const ofX = engine.random([rows, width], x);
      const ofGain = engine.random([width], gain);
      const gradient = engine.random([rows, width], source("gradient"));
      const compute = (of: DlEngine<typeof ofX>) => {
        const back = of.normBackward(kind, { gradient, x: ofX, gain: ofGain });
        return { output: of.norm(kind, ofX, ofGain), ofInput: back.input, ofGain: back.gain };
      };
      const bytes = 2 * dtypeInfo(dtype).bytes * rows * width;
      return {
        compute,
        verify: ({ output }) => {
          if (output === undefined) return [];
          const gains = randomValues(gain, { start: 0, count: width });
          return sampleIndices(rows, 4, seed).flatMap((row) =>
            checkRow(`row ${row}`, {
              found: engine.download(output, { start: row, count: 1 }),
              expected: normRow(kind, randomValues(x, { start: row * width, count: width }), gains),
              tolerance: toleranceOf(dtype),
            }),
          );
        },
        timed: () => void engine.norm(kind, ofX, ofGain),
        ...(figure === undefined
          ? {}
          : {
              figure: {
                name: figure,
                unit: "GB/s",
                higherIsBetter: true,
                fromMs: (timeMs: number) => bytes / timeMs / 1e6,
              },
            }),
      };
    },
  });
}
