import type { KeptDifference } from "./differences.ts";
import { flippedBitsOf } from "./differences.ts";
import type { PatternGuess } from "./report-types.ts";
import type { ElementBits } from "./ulp.ts";

export interface PatternQuestion {
  readonly shape: readonly number[];
  readonly elements: number;
  readonly differing: number;
  /** In the order of elements; all of them, or the first ones. */
  readonly kept: readonly KeptDifference[];
}

/** What the places of differing elements look like: see `DifferencePattern`. */
export function guessPattern(question: PatternQuestion): PatternGuess {
  const { differing, elements, kept } = question;
  const [first] = kept;
  if (first === undefined) return { pattern: "none", text: "nothing differs" };
  if (differing === 1) return ofOne(first);
  const guess =
    (kept.length === differing ? ofPlaces(question) : undefined) ??
    (2 * differing > elements ? mostElements(question) : undefined);
  const bit = commonBit(kept);
  if (guess !== undefined) {
    return bit === undefined ? guess : { ...guess, text: `${guess.text}, each in bit ${bit} only` };
  }
  if (bit !== undefined) return { pattern: "same-bit", text: `bit ${bit} of scattered elements` };
  return { pattern: "scattered", text: `${differing} elements without a visible pattern` };
}

function ofOne({ a, b }: KeptDifference): PatternGuess {
  const bits = flippedBitsOf(a, b);
  if (bits.length === 1) return { pattern: "single-bit", text: `bit ${bits[0]} of one element` };
  return { pattern: "single-element", text: `${bits.length} bits of one element` };
}

function mostElements({ differing, elements }: PatternQuestion): PatternGuess {
  return { pattern: "most-elements", text: `${differing} of ${elements} elements` };
}

interface Places {
  readonly flats: readonly number[];
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** Of the last dimension. */
  readonly width: number;
  /** Rows of all batches together. */
  readonly height: number;
}

function ofPlaces(question: PatternQuestion): PatternGuess | undefined {
  const places = placesIn(question);
  return (
    swappedColumns(question, places) ??
    oneColumn(places) ??
    (2 * question.differing > question.elements ? mostElements(question) : undefined) ??
    stride(places) ??
    oneRow(places) ??
    tile(places)
  );
}

function placesIn({ shape, elements, kept }: PatternQuestion): Places {
  const width = Math.max(shape.at(-1) ?? 1, 1);
  const flats = kept.map(({ flat }) => flat);
  return {
    flats,
    rows: distinct(flats.map((flat) => Math.floor(flat / width))),
    columns: distinct(flats.map((flat) => flat % width)),
    width,
    height: elements / width,
  };
}

/** Two columns that have each other's elements. */
function swappedColumns(
  { kept }: PatternQuestion,
  { columns, rows, width }: Places,
): PatternGuess | undefined {
  const [left, right] = columns as [number, number];
  if (columns.length !== 2 || kept.length !== 2 * rows.length) return undefined;
  const byFlat = new Map(kept.map((one) => [one.flat, one]));
  const isSwapped = rows.every((row) => {
    const one = byFlat.get(row * width + left);
    const other = byFlat.get(row * width + right);
    return (
      one !== undefined && other !== undefined && isSame(one.a, other.b) && isSame(one.b, other.a)
    );
  });
  if (!isSwapped || rows.length < 2) return undefined;
  return { pattern: "swapped-columns", text: `columns ${left} and ${right} are exchanged` };
}

function oneColumn({ columns, rows, width, height }: Places): PatternGuess | undefined {
  if (columns.length !== 1 || width === 1) return undefined;
  const all = rows.length === height ? "all" : String(rows.length);
  return {
    pattern: "one-column",
    text: `one column (${columns[0]}), ${all} of its ${height} rows`,
  };
}

function oneRow({ columns, rows, height }: Places): PatternGuess | undefined {
  if (rows.length !== 1 || height === 1) return undefined;
  return { pattern: "one-row", text: `one row (${rows[0]}), ${columns.length} of its elements` };
}

/** Elements equally far apart, as what one lane of a warp or of a vector computes. */
function stride({ flats }: Places): PatternGuess | undefined {
  const [first, second] = flats as [number, number];
  const gap = second - first;
  if (flats.length < 3 || gap < 2) return undefined;
  const isEven = flats.every((flat, at) => flat === first + at * gap);
  if (!isEven) return undefined;
  return {
    pattern: "stride",
    text: `every ${gap}th element from ${first} on, ${flats.length} of them`,
  };
}

/** A filled rectangle. */
function tile({ flats, rows, columns }: Places): PatternGuess | undefined {
  const isFilled =
    flats.length === rows.length * columns.length &&
    isRun(rows) &&
    isRun(columns) &&
    rows.length > 1;
  if (!isFilled) return undefined;
  const place = `rows ${rows[0]} to ${rows.at(-1)}, columns ${columns[0]} to ${columns.at(-1)}`;
  return { pattern: "tile", text: `a tile: ${place}` };
}

function commonBit(kept: readonly KeptDifference[]): number | undefined {
  const [first] = kept;
  if (first === undefined) return undefined;
  const bits = flippedBitsOf(first.a, first.b);
  const isCommon =
    bits.length === 1 &&
    kept.every(
      ({ a, b }) =>
        (a.low ^ b.low) === (first.a.low ^ first.b.low) &&
        (a.high ^ b.high) === (first.a.high ^ first.b.high),
    );
  return isCommon ? bits[0] : undefined;
}

function isSame(one: ElementBits, other: ElementBits): boolean {
  return one.low === other.low && one.high === other.high;
}

function isRun(sorted: readonly number[]): boolean {
  return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) === sorted.length - 1;
}

function distinct(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((one, other) => one - other);
}
