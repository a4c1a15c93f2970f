import { createRng } from "../../../../platform/rng/index.ts";
import { allocateRaw } from "../../../../runtime/tensor/dtype/index.ts";
import { fromValues, Tensor } from "../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine/engine.ts";
import type { Problem } from "../verify/style.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { sampleIndices } from "./sample.ts";

interface EmbeddingSize {
  readonly rows: number;
  readonly width: number;
  readonly tokens: number;
}

/** Looking up rows of a table, and the sums of gradients into them. Both are exact here. */
export const embeddingCase: DlCase = defineCase<EmbeddingSize>({
  name: "embedding",
  title: "Embedding forward and backward in bf16",
  styles: ["exact", "repeat", "golden"],
  size: (request) => {
    const size = sizeOf(
      {
        cuda: {
          quick: { rows: 32064, width: 4096, tokens: 4096 },
          standard: { rows: 128256, width: 8192, tokens: 8192 },
        },
        cpu: {
          quick: { rows: 512, width: 64, tokens: 256 },
          standard: { rows: 2048, width: 128, tokens: 1024 },
        },
      },
      request,
    );
    const { scale } = request;
    return {
      rows: scaled(size.rows, scale),
      width: scaled(size.width, scale),
      tokens: scaled(size.tokens, scale),
    };
  },
  describe: ({ rows, width, tokens }) => `${rows}x${width}, ${tokens} tokens bf16`,
  iterations: { cuda: 1, cpu: 1 },
  prepare: ({ engine, seed }, { rows, width, tokens }) => {
    const dtype = "bf16" as const;
    const spec = { kind: "symmetric", seed, stream: "embedding table" } as const;
    const table = engine.random([rows, width], { spec, dtype });
    const stream = createRng(seed).stream("dl-unit", "tokens");
    const chosen = Int32Array.from({ length: tokens }, () => stream.int(rows));
    const indices = engine.upload(fromValues(chosen, { dtype: "i32", shape: [tokens] }));
    const gradient = engine.upload(integerRows(tokens, width));
    return {
      compute: (of: DlEngine<typeof table>) => ({
        output: of.embedding(table, indices),
        ofTable: of.embeddingBackward(gradient, indices, rows),
      }),
      verify: ({ output, ofTable }) => {
        const problems: Problem[] = [];
        for (const token of sampleIndices(tokens, 4, seed)) {
          const row = chosen[token] ?? 0;
          const source = engine.download(table, { start: row, count: 1 });
          const found =
            output === undefined ? source : engine.download(output, { start: token, count: 1 });
          if (found.digest() !== source.digest()) {
            problems.push({
              style: "exact",
              text: `token ${token} did not get row ${row} of the table`,
            });
          }
          if (ofTable === undefined) continue;
          const sums = engine.download(ofTable, { start: row, count: 1 }).toNumbers();
          const wrong = wrongSum({ row, chosen, sums });
          if (wrong !== undefined) problems.push({ style: "exact", text: wrong });
        }
        return problems.slice(0, 1);
      },
    };
  },
});

/** Small integers: a sum of up to 100 of them is exact in bf16, and no row is used so often. */
const gradientAt = (token: number, column: number) => ((3 * token + 7 * column) % 5) - 2;
const rowsApart = 5;

/** [tokens, width] in bf16: five rows again and again. */
function integerRows(tokens: number, width: number): Tensor {
  const few = Int8Array.from({ length: rowsApart * width }, (_, at) =>
    gradientAt(Math.floor(at / width), at % width),
  );
  const table = fromValues(few, { dtype: "bf16", shape: [rowsApart, width] }).toRaw();
  const raw = allocateRaw("bf16", tokens * width);
  for (let token = 0; token < tokens; token += rowsApart) {
    const count = Math.min(rowsApart, tokens - token) * width;
    raw.set(table.subarray(0, count), token * width);
  }
  return Tensor.over(raw, { dtype: "bf16", shape: [tokens, width] });
}

function wrongSum(given: {
  readonly row: number;
  readonly chosen: Int32Array;
  readonly sums: Float64Array;
}): string | undefined {
  const { row, chosen, sums } = given;
  const expected = new Int32Array(sums.length);
  for (const [token, own] of chosen.entries()) {
    if (own !== row) continue;
    for (let column = 0; column < expected.length; column++) {
      expected[column] = (expected[column] as number) + gradientAt(token, column);
    }
  }
  const at = expected.findIndex((value, column) => value !== sums[column]);
  if (at < 0) return undefined;
  return `the gradients of row ${row} of the table add up to ${sums[at]} in column ${at}, and must to ${expected[at]}`;
}
