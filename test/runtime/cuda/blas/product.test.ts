import { describe, expect, it } from "vitest";
import {
  columnMajor,
  computeKindOf,
  defaultOutDtype,
  type ProductSpec,
} from "../../../../src/runtime/cuda/blas/product.ts";

const spec: ProductSpec = {
  m: 2,
  n: 3,
  k: 5,
  batches: 1,
  aDtype: "bf16",
  bDtype: "bf16",
  outDtype: "bf16",
  transposeA: false,
  transposeB: false,
  sharedB: false,
  tf32: false,
  fastAccumulate: false,
  smCountTarget: 0,
};

describe("a product of row-major matrices for a column-major library", () => {
  it("takes the second factor first, both as they lie", () => {
    expect(columnMajor(spec)).toEqual({
      first: { rows: 3, columns: 5, leading: 3, transposed: false, batchStride: 15 },
      second: { rows: 5, columns: 2, leading: 5, transposed: false, batchStride: 10 },
      out: { rows: 3, columns: 2, leading: 3, transposed: false, batchStride: 6 },
    });
  });

  it("tells which factor is stored transposed", () => {
    const { first, second } = columnMajor({ ...spec, transposeA: true, transposeB: true });
    expect(first).toEqual({ rows: 5, columns: 3, leading: 5, transposed: true, batchStride: 15 });
    expect(second).toEqual({ rows: 2, columns: 5, leading: 2, transposed: true, batchStride: 10 });
  });

  it("uses one second factor for the whole batch where it is shared", () => {
    expect(columnMajor({ ...spec, sharedB: true }).first.batchStride).toBe(0);
  });
});

describe("how a product is computed", () => {
  it("sums f32 as f32, unless TF32 is asked for", () => {
    const f32 = { ...spec, aDtype: "f32", bDtype: "f32", outDtype: "f32" } as const;
    expect(computeKindOf(f32).computeType).toBe(68);
    expect(computeKindOf({ ...f32, tf32: true }).computeType).toBe(77);
  });

  it("wants the short formats along k", () => {
    expect(
      computeKindOf({ ...spec, aDtype: "e4m3", bDtype: "e5m2", outDtype: "f32" }).onlyTransposedB,
    ).toBe(true);
    expect(
      computeKindOf({ ...spec, aDtype: "i8", bDtype: "i8", outDtype: "i32" }).onlyTransposedB,
    ).toBe(true);
    expect(computeKindOf(spec).onlyTransposedB).toBe(false);
  });

  it.each([
    [{ aDtype: "e5m2", bDtype: "e5m2", outDtype: "f32" }, "not by e5m2"],
    [{ aDtype: "bf16", bDtype: "f16", outDtype: "f32" }, "bf16 meets f16"],
    [{ aDtype: "f64", bDtype: "f64", outDtype: "f32" }, "given as f64, not as f32"],
    [{ aDtype: "u8", bDtype: "u8", outDtype: "i32" }, "does not multiply matrices of u8"],
  ] as const)("refuses %j", (formats, message) => {
    expect(() => computeKindOf({ ...spec, ...formats })).toThrow(message);
  });

  it("gives the short formats a longer result", () => {
    expect(defaultOutDtype("e4m3")).toBe("f32");
    expect(defaultOutDtype("i8")).toBe("i32");
    expect(defaultOutDtype("bf16")).toBe("bf16");
  });
});
