import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DimSlice } from "../../../../src/runtime/dist/layout/index.ts";
import { meet } from "../../../../src/runtime/dist/redistribute/plan/meet.ts";

const slices = fc.record({
  start: fc.nat({ max: 30 }),
  step: fc.integer({ min: 1, max: 12 }),
  count: fc.nat({ max: 12 }),
});

function indices({ start, step, count }: DimSlice): number[] {
  return Array.from({ length: count }, (_, at) => start + at * step);
}

describe("two slices of a dimension", () => {
  it("meet in the elements that both have, in the same order, for any steps", () => {
    fc.assert(
      fc.property(slices, slices, (one, other) => {
        const shared = indices(one).filter((index) => indices(other).includes(index));
        const met = meet(one, other);
        const through = (slice: DimSlice, inside: DimSlice | undefined) =>
          inside === undefined ? [] : indices(inside).map((at) => indices(slice)[at]);
        expect(through(one, met?.inOne)).toEqual(shared);
        expect(through(other, met?.inOther)).toEqual(shared);
      }),
      { numRuns: 500 },
    );
  });

  it("with large numbers stay exact", () => {
    const one = { start: 3, step: 999_983, count: 1_000_000 };
    const other = { start: 5, step: 1_000_003, count: 1_000_000 };
    const met = meet(one, other);
    const at = 3 + (met?.inOne.start ?? 0) * 999_983;
    expect(at).toBe(5 + (met?.inOther.start ?? 0) * 1_000_003);
    expect(met?.inOne.step).toBe(1_000_003);
  });
});
