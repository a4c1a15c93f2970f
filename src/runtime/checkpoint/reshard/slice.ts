import type { DimSlice } from "../../dist/layout/split.ts";

/** What two slices of one dimension share, as positions in either of them. */
export interface CommonSlice {
  readonly inA: DimSlice;
  readonly inB: DimSlice;
}

/** From here on a product of two remainders may not be exact as a number. */
const exactFactorMax = 94_906_265;

/** The indices that both slices have; undefined when there are none. */
export function intersectSlices(a: DimSlice, b: DimSlice): CommonSlice | undefined {
  if (a.count === 0 || b.count === 0) return undefined;
  const aLast = lastOf(a);
  const bLast = lastOf(b);
  if (a.start > bLast || b.start > aLast) return undefined;
  const { gcd, inverse } = gcdOf(a.step, b.step);
  const gap = b.start - a.start;
  if (gap % gcd !== 0) return undefined;
  // Positions in a repeat every b.step / gcd; this is the smallest one that b has as well.
  const period = b.step / gcd;
  const joint = period * a.step;
  const residue = multiplied(modulo(gap / gcd, period), modulo(inverse, period), period);
  let first = a.start + residue * a.step;
  const from = Math.max(a.start, b.start);
  if (first < from) first += Math.ceil((from - first) / joint) * joint;
  const last = Math.min(aLast, bLast);
  if (first > last) return undefined;
  const count = Math.floor((last - first) / joint) + 1;
  return {
    inA: { start: (first - a.start) / a.step, step: period, count },
    inB: { start: (first - b.start) / b.step, step: a.step / gcd, count },
  };
}

/** True when an index of the dimension is one of the slice's. */
export function hasIndex({ start, step, count }: DimSlice, index: number): boolean {
  const past = index - start;
  return past >= 0 && past % step === 0 && past / step < count;
}

/** How many indices of the slice are smaller than this one. */
export function countBelow({ start, step, count }: DimSlice, index: number): number {
  return Math.min(count, Math.max(0, Math.ceil((index - start) / step)));
}

function lastOf({ start, step, count }: DimSlice): number {
  return start + (count - 1) * step;
}

/** The greatest common divisor, and x with x * a = gcd, modulo b. */
function gcdOf(a: number, b: number): { readonly gcd: number; readonly inverse: number } {
  let [rest, next] = [a, b];
  let [x, nextX] = [1, 0];
  // Euclid's steps: fewer than 80 for numbers below 2^53.
  while (next !== 0) {
    const quotient = Math.floor(rest / next);
    [rest, next] = [next, rest - quotient * next];
    [x, nextX] = [nextX, x - quotient * nextX];
  }
  return { gcd: rest, inverse: x };
}

function modulo(value: number, by: number): number {
  const rest = value % by;
  return rest < 0 ? rest + by : rest;
}

function multiplied(a: number, b: number, by: number): number {
  if (by <= exactFactorMax) return (a * b) % by;
  return Number((BigInt(a) * BigInt(b)) % BigInt(by));
}
