import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countBefore,
  intersectBoxes,
  keyOfBox,
  sizeOfBox,
} from "../../../../src/runtime/checkpoint/reshard/box.ts";
import { intersectSlices } from "../../../../src/runtime/checkpoint/reshard/slice.ts";
import type { DimSlice } from "../../../../src/runtime/dist/layout/index.ts";

const slices = fc.record({
  start: fc.nat({ max: 20 }),
  step: fc.integer({ min: 1, max: 12 }),
  count: fc.nat({ max: 12 }),
});

function indices({ start, step, count }: DimSlice): number[] {
  return Array.from({ length: count }, (_, at) => start + at * step);
}

describe("intersectSlices", () => {
  it("finds the indices that both slices have, as positions in either", () => {
    fc.assert(
      fc.property(slices, slices, (a, b) => {
        const [inA, inB] = [indices(a), indices(b)];
        const wanted = inA.filter((index) => inB.includes(index));
        const common = intersectSlices(a, b);
        if (common === undefined) {
          expect(wanted).toEqual([]);
          return;
        }
        expect(indices(common.inA).map((at) => inA[at])).toEqual(wanted);
        expect(indices(common.inB).map((at) => inB[at])).toEqual(wanted);
      }),
      { numRuns: 1000 },
    );
  });

  it("is exact where a product of steps is not a whole number any more", () => {
    const [p, q] = [2_147_483_647, 2_147_483_629];
    const a = { start: 5, step: p, count: 2 ** 22 };
    const b = { start: 5 + p * 1_000_003, step: q, count: 2 ** 20 };
    const common = intersectSlices(a, b);
    expect(common?.inA).toEqual({ start: 1_000_003, step: q, count: 1 });
    expect(common?.inB).toEqual({ start: 0, step: p, count: 1 });
    expect(intersectSlices({ start: 0, step: 2, count: 9 }, { start: 1, step: 2, count: 9 })).toBe(
      undefined,
    );
  });
});

describe("boxes", () => {
  const boxes = fc
    .array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 })
    .chain((shape) =>
      fc.tuple(
        fc.constant(shape),
        fc.tuple(
          ...shape.map((length) =>
            fc
              .tuple(fc.nat({ max: length - 1 }), fc.integer({ min: 1, max: 3 }))
              .map(([start, step]) => ({ start, step, count: Math.ceil((length - start) / step) })),
          ),
        ),
      ),
    );

  it("count the elements that come before a place of the array they are cut from", () => {
    fc.assert(
      fc.property(boxes, ([shape, box]) => {
        const size = shape.reduce((product, length) => product * length, 1);
        const inside = Array.from({ length: size }, (_, place) => isIn(box, shape, place));
        for (let place = 0; place <= size; place++) {
          expect(countBefore(box, shape, place)).toBe(
            inside.slice(0, place).filter(Boolean).length,
          );
        }
        expect(countBefore(box, shape, size)).toBe(sizeOfBox(box));
      }),
    );
  });

  it("meet in nothing when one dimension does not meet", () => {
    const rows = { start: 0, step: 2, count: 4 };
    const all = { start: 0, step: 1, count: 8 };
    expect(intersectBoxes([rows, all], [{ ...rows, start: 1 }, all])).toBe(undefined);
    expect(intersectBoxes([rows, all], [all, rows])).toBeDefined();
    expect(intersectBoxes([], [])).toEqual({ inA: [], inB: [] });
  });

  it("have the same key when they have the same elements, and another one otherwise", () => {
    const one = { start: 3, step: 7, count: 1 };
    expect(keyOfBox([one])).toBe(keyOfBox([{ ...one, step: 1 }]));
    expect(keyOfBox([{ ...one, count: 2 }])).not.toBe(keyOfBox([{ ...one, step: 1, count: 2 }]));
  });
});

function isIn(box: readonly DimSlice[], shape: readonly number[], place: number): boolean {
  let rest = place;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const length = shape[dim] as number;
    if (!indices(box[dim] as DimSlice).includes(rest % length)) return false;
    rest = Math.floor(rest / length);
  }
  return true;
}
