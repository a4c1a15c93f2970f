import type { DType } from "../../../../runtime/tensor/index.ts";
import type { DlEngine, EngineTensor } from "../engine/engine.ts";
import { compareWithTile } from "../verify/compare-tile.ts";
import { type IntegerProduct, tileTensor } from "../verify/integer-product.ts";
import type { Problem } from "../verify/style.ts";
import { sampleIndices } from "./sample.ts";

const rowsSampled = 4;

/**
 * Every element on the device by its own comparison; and some rows on the host, in case the device
 * compares as badly as it computes.
 */
export function checkExactProduct<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: {
    readonly output: T | undefined;
    readonly golden: IntegerProduct;
    readonly product: DType;
    readonly seed: string;
  },
): readonly Problem[] {
  const { output, golden, product, seed } = given;
  if (output === undefined) return [];
  const tile = tileTensor(golden, product);
  const found = engine.compareWithTile(output, tile);
  if (found !== undefined) {
    const share = `${found.wrong} of ${output.size} elements`;
    const text = `${share} of an integer product are not what integer arithmetic gives; the first is ${found.first}`;
    return [{ style: "exact", text }];
  }
  const [rows = 0] = output.shape;
  for (const row of sampleIndices(rows, rowsSampled, seed)) {
    const again = compareWithTile(engine.download(output, { start: row, count: 1 }), tile, row);
    if (again === undefined) continue;
    const text = `row ${row} of an integer product is wrong on the host though the device found it right; the first element is ${again.first}`;
    return [{ style: "exact", text }];
  }
  return [];
}
