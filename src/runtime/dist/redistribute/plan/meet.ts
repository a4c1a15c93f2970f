import type { DimSlice } from "../../layout/index.ts";

/** Elements that two slices of a dimension share, as positions in each of the two. */
export interface Meeting {
  readonly inOne: DimSlice;
  readonly inOther: DimSlice;
}

/** What two slices share; undefined when that is nothing. Steps may differ. */
export function meet(one: DimSlice, other: DimSlice): Meeting | undefined {
  if (one.count === 0 || other.count === 0) return undefined;
  const divisor = greatestCommonDivisor(one.step, other.step);
  const apart = other.start - one.start;
  if (apart % divisor !== 0) return undefined;
  // start + i * step of one is an element of the other for every `period`-th i, from `first` on.
  const period = other.step / divisor;
  const first = modulo(
    modulo(apart / divisor, period) * inverse(one.step / divisor, period),
    period,
  );
  const step = one.step * period;
  const lowest = Math.max(one.start, other.start);
  const at = one.start + first * one.step;
  const start = at >= lowest ? at : at + Math.ceil((lowest - at) / step) * step;
  const count = Math.floor((Math.min(lastOf(one), lastOf(other)) - start) / step) + 1;
  if (count < 1) return undefined;
  const within = (slice: DimSlice): DimSlice => ({
    start: (start - slice.start) / slice.step,
    step: step / slice.step,
    count,
  });
  return { inOne: within(one), inOther: within(other) };
}

function lastOf({ start, step, count }: DimSlice): number {
  return start + (count - 1) * step;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The number whose product with `value` leaves 1 modulo `divisor`; both have no common factor. */
function inverse(value: number, divisor: number): number {
  let [before, now] = [0, 1];
  let [larger, smaller] = [divisor, modulo(value, divisor)];
  while (smaller > 1) {
    const quotient = Math.floor(larger / smaller);
    [larger, smaller] = [smaller, larger - quotient * smaller];
    [before, now] = [now, before - quotient * now];
  }
  return divisor === 1 ? 0 : modulo(now, divisor);
}
