import fc from "fast-check";
import { expect, test } from "vitest";
import { coverProblem } from "../../../../src/runtime/checkpoint/manifest/cover.ts";
import { localSlices, Mesh, resolveLayout, shard } from "../../../../src/runtime/dist/index.ts";
import type { DimSlice } from "../../../../src/runtime/dist/layout/split.ts";

/** How often each element of a shape is in a box, by walking through all of them. */
function timesCovered(shape: readonly number[], boxes: readonly (readonly DimSlice[])[]): number[] {
  const size = shape.reduce((product, length) => product * length, 1);
  const times = new Array<number>(size).fill(0);
  for (const box of boxes) {
    const walk = (dim: number, at: number, isInside: boolean): void => {
      const slice = box[dim];
      if (slice === undefined) {
        if (isInside) times[at] = (times[at] ?? 0) + 1;
        else times.push(1);
        return;
      }
      for (let n = 0; n < slice.count; n++) {
        const index = slice.start + n * slice.step;
        const length = shape[dim] as number;
        walk(dim + 1, at * length + index, isInside && index < length);
      }
    };
    walk(0, 0, true);
  }
  return times;
}

test("boxes are accepted only when every element is in exactly one", () => {
  const slice = fc.record({
    start: fc.nat(4),
    step: fc.constantFrom(1, 1, 2),
    count: fc.integer({ min: 1, max: 4 }),
  });
  const shape = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 });
  const boxes = shape.chain((lengths) =>
    fc.tuple(
      fc.constant(lengths),
      fc.array(fc.tuple(...lengths.map(() => slice)), { minLength: 1, maxLength: 4 }),
    ),
  );
  let accepted = 0;
  fc.assert(
    fc.property(boxes, ([lengths, all]) => {
      if (coverProblem(lengths, all) !== undefined) return;
      accepted++;
      expect(timesCovered(lengths, all).every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test("the boxes of every layout are accepted, and no longer when one is missing or doubled", () => {
  const split = fc.constantFrom("ceil", "balanced", "cyclic") as fc.Arbitrary<"ceil">;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.nat(2), fc.nat(2)),
      fc.tuple(split, split),
      (shape, dims, splits) => {
        const mesh = new Mesh({ axes: ["a", "b"], devices: 6, shape: [3, 2] });
        const placements = dims.map((dim, at) =>
          shard(dim % shape.length, { split: splits[at] ?? "ceil" }),
        );
        const layout = resolveLayout(placements, { mesh, shape });
        const all = new Map<string, DimSlice[]>();
        for (let rank = 0; rank < 6; rank++) {
          const box = localSlices(layout, { mesh, shape, rank }).map((one) =>
            one.count === 1 ? { ...one, step: 1 } : one,
          );
          if (box.every(({ count }) => count > 0)) all.set(JSON.stringify(box), box);
        }
        const boxes = [...all.values()];
        expect(coverProblem(shape, boxes)).toBeUndefined();
        expect(coverProblem(shape, [...boxes, boxes[0] ?? []])).toBeDefined();
        if (boxes.length > 1) expect(coverProblem(shape, boxes.slice(1))).toBeDefined();
      },
    ),
  );
});
