import { createRng } from "../../../../platform/rng/index.ts";
import {
  type DType,
  dtypeInfo,
  fromValues,
  type RandomSpec,
} from "../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine/engine.ts";
import { checkRow } from "../verify/check-rows.ts";
import { randomValues } from "../verify/random-values.ts";
import { softmaxOfRow } from "../verify/references.ts";
import type { Problem } from "../verify/style.ts";
import { type Tolerance, toleranceOf } from "../verify/tolerance.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { sampleIndices } from "./sample.ts";

/** Probabilities over a vocabulary, and the loss that is made of them. */
export const softmaxCases: readonly DlCase[] = [
  softmaxCase("bf16", "softmax_gbps"),
  softmaxCase("f32"),
];

/** Probabilities over a vocabulary are small: what is off is so by a share of each. */
function probabilityTolerance(dtype: DType): Tolerance {
  return { relative: Math.max(1e-5, toleranceOf(dtype).relative), absolute: 1e-12 };
}

function softmaxCase(dtype: DType, figure?: string): DlCase {
  return defineCase<{ readonly rows: number; readonly classes: number }>({
    name: `softmax-${dtype}`,
    title: `Softmax and cross-entropy over a vocabulary in ${dtype}`,
    styles: ["repeat", "golden", "tolerance"],
    size: (request) => {
      const [rows, classes] = sizeOf(
        {
          cuda: { quick: [2048, 32064], standard: [8192, 128256] },
          cpu: { quick: [64, 501], standard: [128, 1002] },
        },
        request,
      ) as readonly [number, number];
      // Not a multiple of anything: rows end within a vector.
      return { rows: scaled(rows, request.scale), classes: scaled(classes, request.scale, 3) };
    },
    describe: ({ rows, classes }) => `${rows}x${classes}`,
    iterations: { cuda: 20, cpu: 5 },
    prepare: ({ engine, seed }, { rows, classes }) => {
      const spec: RandomSpec = { kind: "symmetric", seed, stream: "softmax x" };
      const x = engine.random([rows, classes], { spec, dtype });
      const stream = createRng(seed).stream("dl-unit", "targets");
      const chosen = Int32Array.from({ length: rows }, () => stream.int(classes));
      const targets = engine.upload(fromValues(chosen, { dtype: "i32", shape: [rows] }));
      const bytes = 2 * dtypeInfo(dtype).bytes * rows * classes;
      const compute = (of: DlEngine<typeof x>) => ({
        output: of.softmax(x),
        ofLogits: of.crossEntropy(x, targets).gradient,
      });
      const verify = ({ output }: Readonly<Record<string, typeof x>>): readonly Problem[] => {
        if (output === undefined) return [];
        return sampleIndices(rows, 4, seed).flatMap((row) => {
          const values = randomValues({ spec, dtype }, { start: row * classes, count: classes });
          const found = engine.download(output, { start: row, count: 1 });
          const total = found.toNumbers().reduce((sum, value) => sum + value, 0);
          const tolerance = probabilityTolerance(dtype);
          const off = Math.abs(total - 1) > tolerance.relative;
          const text = `the probabilities of row ${row} add up to ${total}, not to 1`;
          return [
            ...(off ? [{ style: "tolerance", text } as const] : []),
            ...checkRow(`row ${row}`, {
              found,
              expected: softmaxOfRow(values),
              tolerance,
            }),
          ];
        });
      };
      return {
        compute,
        verify,
        timed: () => void engine.softmax(x),
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
