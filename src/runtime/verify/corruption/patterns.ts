import assert from "node:assert/strict";
import type { RngStream } from "../../../platform/rng/index.ts";
import { inverseNormal } from "../../tensor/random/inverse-normal.ts";
import { changeTo, type ElementChange, formatBits, type Grid, withBits } from "./grid.ts";

export const patternNames = [
  "single-bit",
  "multi-bit",
  "plus-one",
  "plus-minus-one",
  "scattered",
  "zero-sum",
  "warp-strided",
  "tile-zeroed",
  "swapped-columns",
  "value-range",
  "not-finite",
] as const;

/** The ways in which results go wrong. */
export type PatternName = (typeof patternNames)[number];

export interface Pattern {
  readonly name: PatternName;
  /** What happens, in a few words. */
  readonly title: string;
  /** The changes of one event; none where it does not show, as with operands outside of a range. */
  make(grid: Grid, stream: RngStream): readonly ElementChange[];
}

/** Lanes of a warp: neighbours in it fail together, at addresses a fixed stride apart. */
const lanes = 32;
const strides = [1, 2, 4, 8, 16, 32, 64] as const;
const tile = { rows: 16, columns: 8 } as const;
/** Operands from here up to there are multiplied wrongly by a unit that is weak only for them. */
const weakRange = { from: 2, to: 2.25 } as const;

const make: Readonly<Record<PatternName, Omit<Pattern, "name">>> = {
  "single-bit": {
    title: "one bit of one element",
    make: (grid, stream) => flipped(grid, anywhere(grid, stream), [anyBit(grid, stream)]),
  },
  "multi-bit": {
    title: "2 to 4 bits of one element",
    make: (grid, stream) => {
      const all = Array.from({ length: formatBits[grid.format] }, (_, bit) => bit);
      const bits = stream.shuffle(all).slice(0, 2 + stream.int(3));
      return flipped(grid, anywhere(grid, stream), bits);
    },
  },
  "plus-one": {
    title: "1 added to one element",
    make: (grid, stream) => added(grid, anywhere(grid, stream), 1),
  },
  "plus-minus-one": {
    title: "+1 and -1 in one row",
    make: (grid, stream) => {
      const [one = 0, other = 0] = inOneRow(grid, stream, 2);
      return [...added(grid, one, 1), ...added(grid, other, -1)];
    },
  },
  scattered: {
    title: "32 elements of a row, each +0.5 or -0.5",
    make: (grid, stream) =>
      inOneRow(grid, stream, lanes).flatMap((at) => added(grid, at, stream.int(2) - 0.5)),
  },
  "zero-sum": {
    title: "32 elements of a row, off by 0 in all",
    make: (grid, stream) => {
      const places = inOneRow(grid, stream, lanes);
      const drawn = places.map(() => normal(stream));
      const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
      return places.flatMap((at, place) => added(grid, at, (drawn[place] as number) - mean));
    },
  },
  "warp-strided": {
    title: "one bit in 32 elements, a stride apart",
    make: (grid, stream) => {
      const fitting = strides.filter((stride) => stride * (lanes - 1) < grid.values.length);
      const stride = stream.pick(fitting);
      const first = stream.int(grid.values.length - stride * (lanes - 1));
      const bit = anyBit(grid, stream);
      const places = Array.from({ length: lanes }, (_, lane) => first + lane * stride);
      return places.flatMap((at) => flipped(grid, at, [bit]));
    },
  },
  "tile-zeroed": {
    title: "a tile of 16 x 8 that stayed 0",
    make: (grid, stream) => {
      const [high, wide] = [Math.min(tile.rows, grid.rows), Math.min(tile.columns, grid.columns)];
      const row = high * stream.int(Math.floor(grid.rows / high));
      const column = wide * stream.int(Math.floor(grid.columns / wide));
      return Array.from({ length: high * wide }, (_, at) => {
        const place = (row + Math.floor(at / wide)) * grid.columns + column + (at % wide);
        return changeTo(grid, place, 0);
      }).flat();
    },
  },
  "swapped-columns": {
    title: "two columns in each other's place",
    make: (grid, stream) => {
      const [one, other] = twoOf(grid.columns, stream);
      return Array.from({ length: grid.rows }, (_, row) => {
        const [x, y] = [row * grid.columns + one, row * grid.columns + other];
        const [was, is] = [grid.values[x] as number, grid.values[y] as number];
        return [...changeTo(grid, x, is), ...changeTo(grid, y, was)];
      }).flat();
    },
  },
  "value-range": { title: "wrong only for operands in a range", make: wrongInRange },
  "not-finite": {
    title: "one element NaN or infinite",
    make: (grid, stream) => {
      const value = stream.pick([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
      return changeTo(grid, anywhere(grid, stream), value);
    },
  },
};

/** All patterns, in the order of their names. */
export const patterns: readonly Pattern[] = patternNames.map((name) => ({ name, ...make[name] }));

/** A pattern by its name. */
export function patternOf(name: PatternName): Pattern {
  return { name, ...make[name] };
}

/** One bit of this number, in an element chosen by chance. */
export function flipOneBit(grid: Grid, bit: number, stream: RngStream): readonly ElementChange[] {
  assert(bit >= 0 && bit < formatBits[grid.format], "a bit of the format");
  return flipped(grid, anywhere(grid, stream), [bit]);
}

/** A unit that multiplies operands of a range wrongly by one part in 2^7, in the columns of one warp. */
function wrongInRange(grid: Grid, stream: RngStream): readonly ElementChange[] {
  const { factors, columns, rows } = grid;
  if (factors === undefined) return [];
  const row = stream.int(rows);
  const first = stream.int(Math.max(1, columns - lanes + 1));
  const changes: ElementChange[] = [];
  for (let column = first; column < Math.min(columns, first + lanes); column++) {
    let off = 0;
    for (let at = 0; at < factors.inner; at++) {
      const operand = factors.a[row * factors.inner + at] as number;
      const size = Math.abs(operand);
      if (size < weakRange.from || size >= weakRange.to) continue;
      off += operand * (factors.b[at * columns + column] as number) * 2 ** -7;
    }
    if (off !== 0) changes.push(...added(grid, row * columns + column, off));
  }
  return changes;
}

function flipped(grid: Grid, index: number, bits: readonly number[]): readonly ElementChange[] {
  const was = grid.values[index] as number;
  return [{ index, was, is: withBits(was, bits, grid.format) }];
}

function added(grid: Grid, index: number, value: number): readonly ElementChange[] {
  return changeTo(grid, index, (grid.values[index] as number) + value);
}

function anywhere(grid: Grid, stream: RngStream): number {
  return stream.int(grid.values.length);
}

function anyBit(grid: Grid, stream: RngStream): number {
  return stream.int(formatBits[grid.format]);
}

/** Different places of one row, as many as it has at most. */
function inOneRow(grid: Grid, stream: RngStream, count: number): readonly number[] {
  const start = stream.int(grid.rows) * grid.columns;
  const wanted = Math.min(count, grid.columns);
  const places = new Set<number>();
  // Each draw is new with a chance of a half at least, or the loop ends with what it has.
  for (let draw = 0; draw < 64 * wanted && places.size < wanted; draw++) {
    places.add(start + stream.int(grid.columns));
  }
  return [...places];
}

function twoOf(count: number, stream: RngStream): readonly [number, number] {
  assert(count >= 2, "two columns to swap");
  const one = stream.int(count);
  const other = stream.int(count - 1);
  return [one, other < one ? other : other + 1];
}

function normal(stream: RngStream): number {
  return inverseNormal((stream.uint32() + 0.5) * 2 ** -32);
}
