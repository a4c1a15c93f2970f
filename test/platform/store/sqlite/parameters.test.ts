import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toBound } from "../../../../src/platform/store/sqlite/parameters.ts";

describe("a value on its way into SQLite", () => {
  test.each([
    [null, null],
    ["text", "text"],
    [true, 1n],
    [false, 0n],
    [7, 7n],
    [-0.5, -0.5],
    [2n ** 63n - 1n, 2n ** 63n - 1n],
  ])("%s is bound as %s", (value, bound) => {
    expect(toBound(value)).toBe(bound);
  });

  test.each([
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2n ** 63n,
    {},
    new Date(0),
    Symbol("s"),
  ])("%s is refused, since the driver would lose it or abort", (value) => {
    expect(() => toBound(value)).toThrow(TypeError);
  });

  test("keeps every number it accepts", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        (value) => {
          expect(Number(toBound(value))).toBe(value === 0 ? 0 : value);
        },
      ),
    );
  });
});
