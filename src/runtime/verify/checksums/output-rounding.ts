import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { log } from "../../tensor/math/index.ts";
import { inverseNormal } from "../../tensor/random/inverse-normal.ts";
import type { Size } from "./sums.ts";

/**
 * How many standard deviations a threshold needs so that among this many checks of right data so
 * many alarms are expected, on both sides together.
 *
 * @param options.tails 1 counts one side only, as published tables do @default 2
 */
export function zForChecks(
  checks: number,
  { falseAlarms = 1, tails = 2 }: { readonly falseAlarms?: number; readonly tails?: 1 | 2 } = {},
): number {
  const chance = Math.min(0.5, falseAlarms / (tails * Math.max(1, checks)));
  if (chance >= 2 ** -33) return -inverseNormal(chance);
  // Beyond what the inverse is made for: x with exp(-x²/2) / (x √(2π)) (1 - 1/x²) = chance, by fixed point.
  let z = 6.5;
  for (let step = 0; step < 40; step++) {
    const factor = (1 - 1 / (z * z)) / (z * Math.sqrt(2 * Math.PI));
    z = Math.sqrt(2 * (log(factor) - log(chance)));
  }
  return z;
}

/**
 * A sum of numbers with random signs exceeds z times the root of their squares at most so many times
 * as often as a normal variable does, whatever the numbers (Bentkus and Dzindzalieta, 2015).
 */
const signsToNormal = 3.18;

/** Standard deviations that the roundings of a row with random signs exceed once in so many rows at most. */
export function zForRows(rows: number): number {
  return zForChecks(signsToNormal * rows);
}

/** Squares of the largest errors of one rounding, by the exponent of f32. */
const squares: Readonly<Record<"bf16" | "f16", Float64Array>> = {
  bf16: squaresOf("bf16"),
  f16: squaresOf("f16"),
};

function squaresOf(dtype: "bf16" | "f16"): Float64Array {
  const { precision, smallestNormal } = dtypeInfo(dtype);
  return Float64Array.from({ length: 256 }, (_, exponent) => {
    if (exponent === 255) return Number.POSITIVE_INFINITY;
    return (Math.max(2 ** (exponent - 127), smallestNormal) * 2 ** -precision) ** 2;
  });
}

const cell = new Float32Array(1);
const bits = new Uint32Array(cell.buffer);

/** The square of half a step at a number, which rounding it was off by at most. */
export function roundingSquare(value: number, dtype: "bf16" | "f16"): number {
  cell[0] = value;
  return squares[dtype][((bits[0] as number) >>> 23) & 0xff] as number;
}

/**
 * How many roundings in f32 the sums of a product may be off by before they are rounded: beyond 8 √k
 * in one of 10^13 (Higham and Mary), never beyond k + 1.
 */
export function sumRoundings(k: number): number {
  return Math.min(k + 1, 8 * Math.sqrt(k));
}

/**
 * For each row the root of the sum of squares of half a step at each element: the standard deviation,
 * at most, of what rounding to a short format leaves in the row's sum with random signs. It holds for
 * all kinds of numbers without calibration, but only large errors exceed it.
 *
 * @param c numbers of that format, in f32
 */
export function roundingNorms(
  c: Float32Array,
  { rows, columns }: Size,
  dtype: "bf16" | "f16",
): Float64Array {
  const words = new Uint32Array(c.buffer, c.byteOffset, c.length);
  const table = squares[dtype];
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let at = row * columns; at < (row + 1) * columns; at++) {
      sum += table[((words[at] as number) >>> 23) & 0xff] as number;
    }
    out[row] = Math.sqrt(sum);
  }
  return out;
}
