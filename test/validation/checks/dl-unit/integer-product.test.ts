import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ops } from "../../../../src/runtime/tensor/index.ts";
import { compareWithTile } from "../../../../src/validation/checks/dl-unit/verify/compare-tile.ts";
import {
  leftFactor,
  rightFactor,
} from "../../../../src/validation/checks/dl-unit/verify/expand.ts";
import {
  drawIntegerProduct,
  tileTensor,
  wholeNumbersUpTo,
} from "../../../../src/validation/checks/dl-unit/verify/integer-product.ts";

const size = (most: number) => fc.integer({ min: 1, max: most });

describe("products of integers", () => {
  it("are what multiplying each pair of elements gives, for every size", () => {
    fc.assert(
      fc.property(size(150), size(40), size(150), fc.string(), (rows, inner, columns, seed) => {
        const shape = { rows, inner, columns };
        const product = drawIntegerProduct({ ...shape, productDType: "f32", seed });
        const a = leftFactor(product, rows, "f32").toNumbers();
        const b = rightFactor(product, columns, "f32").toNumbers();
        const [i, j] = [rows - 1, columns - 1];
        let sum = 0;
        for (let k = 0; k < inner; k++) {
          sum += (a[i * inner + k] ?? 0) * (b[k * columns + j] ?? 0);
        }
        const { tile, tileRows, tileColumns } = product;
        expect(tile[(i % tileRows) * tileColumns + (j % tileColumns)]).toBe(sum);
      }),
      { numRuns: 40 },
    );
  });

  it("are found right by comparison with floating point, in all formats", () => {
    for (const dtype of ["f64", "f32", "f16", "bf16"] as const) {
      const shape = { rows: 130, inner: 200, columns: 70 };
      const product = drawIntegerProduct({ ...shape, productDType: dtype, seed: "x" });
      const answer = ops.matmul(leftFactor(product, 130, dtype), rightFactor(product, 70, dtype));
      expect(compareWithTile(answer, tileTensor(product, dtype))).toBeUndefined();
    }
  });

  it("stay within what the format holds, up to the largest matrices", () => {
    const innerOf = { bf16: [16, 16384], f16: [16, 4096] };
    for (const dtype of ["bf16", "f16"] as const) {
      for (const inner of innerOf[dtype]) {
        const shape = { rows: 61, inner, columns: 61 };
        const { tile } = drawIntegerProduct({ ...shape, productDType: dtype, seed: "y" });
        const most = Math.max(...tile.map(Math.abs));
        expect(most).toBeGreaterThan(4);
        expect(most).toBeLessThanOrEqual(wholeNumbersUpTo(dtype));
      }
    }
  });

  it("show one wrong element and where it is, also of a part of the rows", () => {
    const product = drawIntegerProduct({
      rows: 100,
      inner: 32,
      columns: 90,
      productDType: "f32",
      seed: "z",
    });
    const answer = ops.matmul(leftFactor(product, 100, "f32"), rightFactor(product, 90, "f32"));
    (answer.raw as Float32Array)[77 * 90 + 65] = 1000;
    const tile = tileTensor(product, "f32");
    const found = compareWithTile(answer, tile);
    expect(found?.wrong).toBe(1);
    expect(found?.first).toMatch(/^\[77, 65\]: -?\d+ expected, 1000 found$/);
    const row = answer.slice([{ start: 77, stop: 78 }]);
    expect(compareWithTile(row, tile, 77)?.first).toContain("[77, 65]");
    expect(compareWithTile(answer.slice([{ start: 3, stop: 4 }]), tile, 3)).toBeUndefined();
  });

  it("refuse an inner length at which f32 could not be exact", () => {
    const shape = { rows: 1, inner: 2 ** 22, columns: 1 };
    expect(() => drawIntegerProduct({ ...shape, productDType: "f32", seed: "w" })).toThrow("exact");
  });
});
