import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createLoader,
  createPermutation,
  type DataCursor,
  type SampleId,
} from "../../../../src/runtime/training/task/index.ts";

const everyPlace = (count: number) => Array.from({ length: count }, (_, place) => place);

describe("the order of an epoch", () => {
  it("has every sample once, for every size", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.string(),
        fc.nat(9),
        (count, seed, epoch) => {
          const order = everyPlace(count).map(createPermutation({ count, seed, epoch }));
          expect(order.toSorted((a, b) => a - b)).toEqual(everyPlace(count));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is another one in another epoch and from another seed, and the same from the same", () => {
    const order = (seed: string, epoch: number) =>
      everyPlace(100).map(createPermutation({ count: 100, seed, epoch }));
    expect(order("a", 0)).toEqual(order("a", 0));
    expect(order("a", 0)).not.toEqual(order("a", 1));
    expect(order("a", 0)).not.toEqual(order("b", 0));
    expect(order("a", 0)).not.toEqual(everyPlace(100));
  });

  it("is refused for a place outside of it", () => {
    const order = createPermutation({ count: 5, seed: "a", epoch: 0 });
    expect(() => order(5)).toThrow(/within the epoch/);
    expect(() => order(-1)).toThrow(/within the epoch/);
  });

  it("needs no list of a data set that would not fit in memory", () => {
    const order = createPermutation({ count: 2 ** 30, seed: "a", epoch: 3 });
    expect(order(12_345_678)).toBeLessThan(2 ** 30);
  });
});

describe("a loader", () => {
  const taken = (sizes: readonly number[], samples: number): readonly SampleId[] => {
    const loader = createLoader({ samples, seed: "s" });
    let cursor: DataCursor = loader.start;
    return sizes.flatMap((size) => {
      // A new loader for each: nothing but the cursor is remembered.
      const { ids, next } = createLoader({ samples, seed: "s" }).take(cursor, size);
      cursor = next;
      return ids;
    });
  };

  it("gives the same samples however they are cut into batches, over several epochs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 30 }),
        (sizes, samples) => {
          const total = sizes.reduce((sum, size) => sum + size, 0);
          expect(taken(sizes, samples)).toEqual(taken([total], samples));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("uses every sample of an epoch once before the next begins", () => {
    const ids = taken([7, 7, 7, 7], 14);
    for (const epoch of [0, 1]) {
      const own = ids.filter((id) => id.epoch === epoch).map(({ index }) => index);
      expect(own.toSorted((a, b) => a - b)).toEqual(everyPlace(14));
    }
  });

  it("refuses a cursor that is outside its epoch", () => {
    const loader = createLoader({ samples: 4, seed: "s" });
    expect(() => loader.take({ ...loader.start, position: 4 }, 1)).toThrow(/within its epoch/);
  });
});
