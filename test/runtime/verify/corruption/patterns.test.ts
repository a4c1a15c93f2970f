import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { randn } from "../../../../src/runtime/tensor/index.ts";
import {
  applyChanges,
  createCorruptor,
  drawPattern,
  type ElementChange,
  fieldMix,
  type Grid,
  gapOf,
  nearest,
  patternNames,
  patternOf,
  patterns,
  undoChanges,
  withBits,
} from "../../../../src/runtime/verify/corruption/index.ts";

const [rows, columns, inner] = [48, 64, 32];
const given = (shape: readonly number[], stream: string) =>
  randn(shape, { seed: 3, stream }).toRaw() as Float32Array;
const grid: Grid = {
  rows,
  columns,
  values: given([rows, columns], "c"),
  format: "f32",
  factors: { a: given([rows, inner], "a"), b: given([inner, columns], "b"), inner },
};

const untouched = Buffer.copyBytesFrom(grid.values);

const rowsOf = (changes: readonly ElementChange[]) =>
  new Set(changes.map(({ index }) => Math.floor(index / columns)));
const columnsOf = (changes: readonly ElementChange[]) =>
  new Set(changes.map(({ index }) => index % columns));
const make = (name: (typeof patternNames)[number], seed: number, on = grid) =>
  patternOf(name).make(on, createRng(seed).stream("test"));

describe("every pattern", () => {
  it.each(patternNames)(
    "%s: repeats with its seed, tells what was, and changes nothing by itself",
    (name) => {
      fc.assert(
        fc.property(fc.nat(1e6), (seed) => {
          const changes = make(name, seed);
          expect(make(name, seed)).toEqual(changes);
          // Bytes: a matcher that goes through all numbers takes most of the time of this file.
          expect(Buffer.from(grid.values.buffer).equals(untouched)).toBe(true);
          const odd = changes.filter(
            ({ index, was, is }) =>
              grid.values[index] !== was || is === was || !Object.is(is, Math.fround(is)),
          );
          expect(odd).toEqual([]);
          expect(new Set(changes.map(({ index }) => index)).size).toBe(changes.length);
        }),
        { numRuns: 20 },
      );
    },
  );

  it("has a title", () => {
    expect(patterns.map(({ name }) => name)).toEqual([...patternNames]);
    expect(patterns.every(({ title }) => title.length > 0)).toBe(true);
  });
});

describe("patterns as hardware makes them", () => {
  it.each([1, 2, 3])(
    "a warp's lanes lie a stride apart and have the same bit wrong (seed %i)",
    (seed) => {
      const changes = make("warp-strided", seed);
      const steps = new Set(
        changes.slice(1).map(({ index }, at) => index - (changes[at]?.index ?? 0)),
      );
      expect(changes).toHaveLength(32);
      expect(steps.size).toBe(1);
    },
  );

  it("a tile of 16 x 8 is zero, at a place where tiles begin", () => {
    const changes = make("tile-zeroed", 4);
    expect(changes).toHaveLength(128);
    expect(changes.every(({ is }) => is === 0)).toBe(true);
    expect([rowsOf(changes).size, columnsOf(changes).size]).toEqual([16, 8]);
    expect(Math.min(...rowsOf(changes)) % 16).toBe(0);
  });

  it("two columns are in each other's place", () => {
    const changes = make("swapped-columns", 4);
    expect(columnsOf(changes).size).toBe(2);
    const values = Float32Array.from(grid.values);
    applyChanges(values, changes);
    const [one = 0, other = 0] = columnsOf(changes);
    expect(values[5 * columns + one]).toBe(grid.values[5 * columns + other]);
    undoChanges(values, changes);
    expect(values).toEqual(grid.values);
  });

  it.each(["plus-minus-one", "zero-sum"] as const)(
    "%s stays in one row and adds up to nothing",
    (name) => {
      const changes = make(name, 7);
      expect(rowsOf(changes).size).toBe(1);
      const sum = changes.reduce((total, { was, is }) => total + (is - was), 0);
      expect(Math.abs(sum)).toBeLessThan(1e-4);
    },
  );

  it("errors of operands in a range do not show without such operands", () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => make("value-range", seed).length);
    expect(seeds.some((count) => count > 0)).toBe(true);
    const small = {
      ...grid,
      factors: {
        a: new Float32Array(rows * inner).fill(0.5),
        b: given([inner, columns], "b"),
        inner,
      },
    };
    for (let seed = 0; seed < 40; seed++) expect(make("value-range", seed, small)).toEqual([]);
    const { factors: _, ...bare } = grid;
    expect(make("value-range", 1, bare)).toEqual([]);
  });
});

describe("bits", () => {
  it("are counted in the format, and flipping twice changes nothing", () => {
    expect(withBits(1, [31], "f32")).toBe(-1);
    expect(withBits(1, [15], "bf16")).toBe(-1);
    expect(withBits(1, [0], "f32")).toBe(1 + 2 ** -23);
    expect(withBits(1, [0], "bf16")).toBe(1 + 2 ** -7);
    fc.assert(
      fc.property(fc.float({ noNaN: true }), fc.nat(31), (value, bit) => {
        const once = withBits(value, [bit], "f32");
        if (!Number.isNaN(once)) expect(withBits(once, [bit], "f32")).toBe(value);
      }),
    );
  });

  it("are rounded to the nearest of the format, ties to even", () => {
    expect(nearest(1 + 2 ** -8, "bf16")).toBe(1);
    expect(nearest(1 + 3 * 2 ** -8, "bf16")).toBe(1 + 2 ** -6);
    expect(nearest(Number.POSITIVE_INFINITY, "bf16")).toBe(Number.POSITIVE_INFINITY);
    expect(nearest(0.1, "f32")).toBe(Math.fround(0.1));
  });
});

describe("a corruptor", () => {
  it("hits about as many operations as its rate says, and the same ones with the same seed", () => {
    const hits = (seed: number) => {
      const corruptor = createCorruptor({ rng: createRng(seed), rate: 0.1 });
      return Array.from({ length: 2000 }, () => corruptor.operation(grid)).flatMap(
        (event) => event?.operation ?? [],
      );
    };
    expect(hits(1)).toEqual(hits(1));
    expect(hits(1)).not.toEqual(hits(2));
    expect(hits(1).length).toBeGreaterThan(150);
    expect(hits(1).length).toBeLessThan(250);
  });

  it("finds its next hit at any rate without trying every operation", () => {
    const corruptor = createCorruptor({ rng: createRng(1), rate: 1e-8 });
    expect(corruptor.next).toBeGreaterThan(1e5);
    corruptor.skip(corruptor.next);
    expect(() => corruptor.skip(1)).toThrow("right operations");
    expect(corruptor.operation(grid)).toBeDefined();
    expect(corruptor.operation(grid)).toBeUndefined();
    const always = createCorruptor({ rng: createRng(1), rate: 1 });
    for (let at = 0; at < 20; at++) expect(always.operation(grid)?.operation).toBe(at);
  });

  it.each([1e-8, 1e-4, 0.5])("has gaps whose mean is that of its rate %s", (rate) => {
    const stream = createRng(1).stream("gaps");
    const gaps = Array.from({ length: 4000 }, () => gapOf(rate, stream.float()));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(mean * (rate / (1 - rate))).toBeGreaterThan(0.93);
    expect(mean * (rate / (1 - rate))).toBeLessThan(1.07);
  });

  it("draws NaN in one of a hundred events, and single bits in less than forty", () => {
    const stream = createRng(1).stream("mix");
    const drawn = Array.from({ length: 20_000 }, () => drawPattern(fieldMix, stream.float()));
    const share = (name: string) => drawn.filter((one) => one === name).length / drawn.length;
    expect(share("not-finite")).toBeCloseTo(0.01, 2);
    expect(share("single-bit")).toBeLessThan(0.4);
    expect(share("plus-one")).toBe(0);
    expect(drawPattern({ "plus-one": 1 }, 0.999)).toBe("plus-one");
  });
});
