import { describe, expect, it } from "vitest";
import { orderErrorBound } from "../../../../src/runtime/tensor/reduce/index.ts";

const bound = (o: Partial<Parameters<typeof orderErrorBound>[0]>) =>
  orderErrorBound({ order: "rank", ranks: 72, dtype: "f32", sumOfMagnitudes: 1, ...o });

describe("the error bound of an order", () => {
  it("grows with the chain, and with the depth of a tree", () => {
    expect(bound({}) / 2 ** -24).toBeCloseTo(71, 3);
    expect(bound({ order: "ring" })).toBe(bound({}));
    expect(bound({ order: "tree" }) / 2 ** -24).toBeCloseTo(7, 3);
    expect(bound({ order: "exact" }) / 2 ** -24).toBeCloseTo(1, 3);
  });

  it("is smaller for small floats with a wide running value", () => {
    expect(bound({ dtype: "bf16" })).toBeLessThan(bound({ dtype: "bf16", accumulate: "dtype" }));
  });

  it("is nothing where nothing rounds, and infinite where everything may be lost", () => {
    expect(bound({ dtype: "i32" })).toBe(0);
    expect(bound({ ranks: 1 })).toBe(0);
    expect(bound({ dtype: "e5m2", accumulate: "dtype" })).toBe(Number.POSITIVE_INFINITY);
  });
});
