import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, onlyRun, runsOf } from "../../../../src/runtime/dist/array/runs.ts";

const dims = fc.integer({ min: 0, max: 5 }).chain((length) =>
  fc
    .record({
      start: fc.nat({ max: Math.max(0, length - 1) }),
      step: fc.integer({ min: 1, max: 3 }),
    })
    .chain(({ start, step }) =>
      fc
        .nat({ max: length === 0 ? 0 : Math.ceil((length - start) / step) })
        .map((count) => ({ length, slice: { start, step, count } })),
    ),
);

const boxes: fc.Arbitrary<Box> = fc.array(dims, { maxLength: 4 }).map((all) => ({
  shape: all.map(({ length }) => length),
  slices: all.map(({ slice }) => slice),
}));

/** The place in the whole of every element of a box, in order. */
function placesOf({ shape, slices }: Box): number[] {
  return slices.reduce<number[]>(
    (places, { start, step, count }, dim) =>
      places.flatMap((place) =>
        Array.from({ length: count }, (_, at) => place * (shape[dim] ?? 0) + start + at * step),
      ),
    [0],
  );
}

describe("runsOf", () => {
  it("visits every element of a stretch at its place in the whole", () => {
    fc.assert(
      fc.property(boxes, fc.nat(), fc.nat(), (box, from, to) => {
        const places = placesOf(box);
        const start = places.length === 0 ? 0 : from % places.length;
        const count = places.length === 0 ? 0 : to % (places.length - start + 1);
        const visited: number[] = [];
        for (const run of runsOf(box, start, count)) {
          expect(run.boxStart).toBe(start + visited.length);
          for (let at = 0; at < run.count; at++) visited.push(run.wholeStart + at);
        }
        expect(visited).toEqual(places.slice(start, start + count));
      }),
      { numRuns: 300 },
    );
  });

  it("joins whole inner dimensions into one run", () => {
    const all = (count: number) => ({ start: 0, step: 1, count });
    const rows = { shape: [8, 4, 4], slices: [{ start: 2, step: 1, count: 3 }, all(4), all(4)] };
    expect([...runsOf(rows, 0, 48)]).toEqual([{ wholeStart: 32, boxStart: 0, count: 48 }]);
    expect(onlyRun(rows)).toBe(32);
    const columns = { shape: [8, 4], slices: [all(8), { start: 2, step: 1, count: 2 }] };
    expect([...runsOf(columns, 0, 16)]).toHaveLength(8);
    expect(onlyRun(columns)).toBeUndefined();
  });
});
