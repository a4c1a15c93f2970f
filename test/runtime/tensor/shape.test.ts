import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contiguousStrides,
  formatShape,
  sameShape,
  sizeOf,
} from "../../../src/runtime/tensor/shape.ts";

describe("sizeOf", () => {
  it("counts exactly up to 2^53 - 1, and refuses more", () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 2 ** 30 }), fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 6 }), (shape) => {
        const exact = shape.reduce((product, dim) => product * BigInt(dim), 1n);
        if (exact <= BigInt(Number.MAX_SAFE_INTEGER)) expect(BigInt(sizeOf(shape))).toBe(exact);
        else expect(() => sizeOf(shape)).toThrow("more elements than can be counted");
      }),
    );
  });

  it("knows that nothing times anything is nothing", () => {
    expect(sizeOf([])).toBe(1);
    expect(sizeOf([2 ** 40, 0, 2 ** 40])).toBe(0);
    expect(sizeOf([...new Array<number>(30).fill(2 ** 52), 0])).toBe(0);
    expect(sizeOf([1_000_000, 1_000_000])).toBe(10 ** 12);
  });

  it.each([[-1], [0.5], [Number.NaN], [2 ** 53]])("refuses a dimension of %d", (length) => {
    expect(() => sizeOf([2, length])).toThrow(
      expect.objectContaining({
        code: "E_SHAPE",
        message: `shape: [2, ${length}] is no shape: a dimension is a whole number from 0.`,
      }),
    );
  });
});

describe("shapes", () => {
  it("have row-major strides", () => {
    expect(contiguousStrides([2, 3, 4])).toEqual([12, 4, 1]);
    expect(contiguousStrides([])).toEqual([]);
  });

  it("are the same when every dimension is", () => {
    expect(sameShape([2, 3], [2, 3])).toBe(true);
    expect(sameShape([2, 3], [3, 2])).toBe(false);
    expect(sameShape([2], [2, 1])).toBe(false);
    expect(formatShape([2, 3])).toBe("[2, 3]");
  });
});
