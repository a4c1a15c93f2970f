import type { RandomSpec } from "../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine/engine.ts";
import { checkRow } from "../verify/check-rows.ts";
import { randomValues } from "../verify/random-values.ts";
import { attentionRow } from "../verify/references.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { sampleIndices } from "./sample.ts";

interface AttentionSize {
  readonly batch: number;
  readonly heads: number;
  readonly positions: number;
  readonly width: number;
}

/** Weights are averages of values below 1, each rounded to bf16. */
const tolerance = { relative: 1.6e-2, absolute: 2e-3 };

/** Causal attention with its gradients. */
export const attentionCase: DlCase = defineCase<AttentionSize>({
  name: "attention",
  title: "Causal attention forward and backward in bf16",
  styles: ["repeat", "golden", "tolerance"],
  size: (request) => {
    const size = sizeOf(
      {
        cuda: {
          quick: { batch: 1, heads: 16, positions: 2048, width: 128 },
          standard: { batch: 4, heads: 32, positions: 4096, width: 128 },
        },
        cpu: {
          quick: { batch: 1, heads: 2, positions: 64, width: 32 },
          standard: { batch: 2, heads: 4, positions: 128, width: 32 },
        },
      },
      request,
    );
    return { ...size, positions: scaled(size.positions, request.scale) };
  },
  describe: ({ batch, heads, positions, width }) =>
    `batch ${batch}, ${heads} heads, ${positions} positions, width ${width} bf16`,
  iterations: { cuda: 10, cpu: 3 },
  prepare: ({ engine, seed }, { batch, heads, positions, width }) => {
    const shape = [batch, heads, positions, width];
    const source = (stream: string) => {
      const spec: RandomSpec = { kind: "symmetric", seed, stream: `attention ${stream}` };
      return { spec, dtype: "bf16" as const };
    };
    const [q, k, v] = [source("q"), source("k"), source("v")];
    const operands = {
      q: engine.random(shape, q),
      k: engine.random(shape, k),
      v: engine.random(shape, v),
    };
    const gradient = engine.random(shape, source("gradient"));
    const compute = (of: DlEngine<typeof gradient>) => {
      const forward = of.attention(operands);
      const back = of.attentionBackward(gradient, operands, forward);
      return { output: forward.output, ofQueries: back.q, ofKeys: back.k, ofValues: back.v };
    };
    return {
      compute,
      verify: ({ output }) => {
        if (output === undefined) return [];
        const rows = engine.reshape(output, [batch * heads * positions, width]);
        const head = sampleIndices(batch * heads, 3, seed).at(-1) ?? 0;
        const start = head * positions * width;
        const values = (of: typeof q) => randomValues(of, { start, count: positions * width });
        const all = { q: values(q), k: values(k), v: values(v), width };
        return sampleIndices(positions, 4, seed).flatMap((at) =>
          checkRow(`position ${at} of head ${head}`, {
            found: engine.download(rows, { start: head * positions + at, count: 1 }),
            expected: attentionRow(at, all),
            tolerance,
          }),
        );
      },
      figure: {
        name: "attention_ms",
        unit: "ms",
        higherIsBetter: false,
        fromMs: (timeMs) => timeMs,
      },
    };
  },
});
