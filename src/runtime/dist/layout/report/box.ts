import type { DimSlice } from "../split.ts";

/**
 * One dimension of a box. All parts of one layout have the same step in a dimension, so a slice is
 * a run of positions `from` up to `end` (exclusive) among the elements with this remainder.
 */
interface Side {
  readonly remainder: number;
  readonly from: number;
  readonly end: number;
}

/** A part of a tensor, one side per dimension. */
export type Box = readonly Side[];

/** The box of slices that have these steps; undefined for an empty one. */
export function boxOf(slices: readonly DimSlice[], steps: readonly number[]): Box | undefined {
  if (slices.some((slice) => slice.count === 0)) return undefined;
  return slices.map(({ start, count }, dim) => {
    const step = steps[dim] ?? 1;
    const from = Math.floor(start / step);
    return { remainder: start % step, from, end: from + count };
  });
}

/** What both boxes hold. */
export function intersect(one: Box, other: Box): Box | undefined {
  const sides: Side[] = [];
  for (const [dim, side] of one.entries()) {
    const meets = other[dim];
    if (meets === undefined || meets.remainder !== side.remainder) return undefined;
    const from = Math.max(side.from, meets.from);
    const end = Math.min(side.end, meets.end);
    if (from >= end) return undefined;
    sides.push({ ...side, from, end });
  }
  return sides;
}

/** What is left of a box without another, in boxes that do not overlap. */
export function subtract(box: Box, other: Box): readonly Box[] {
  const common = intersect(box, other);
  if (common === undefined) return [box];
  const pieces: Box[] = [];
  let rest = box;
  for (const [dim, { from, end }] of common.entries()) {
    const side = rest[dim];
    if (side === undefined) continue;
    if (side.from < from) pieces.push(rest.with(dim, { ...side, end: from }));
    if (end < side.end) pieces.push(rest.with(dim, { ...side, from: end }));
    rest = rest.with(dim, { ...side, from, end });
  }
  return pieces;
}

/** How many elements a box has. */
export function sizeOfBox(box: Box): number {
  return box.reduce((size, { from, end }) => size * (end - from), 1);
}

/** A box as it stands in sentences: `[0:2, 1:9:4]`, start:stop:step in each dimension. */
export function showBox(box: Box, steps: readonly number[]): string {
  const sides = box.map(({ remainder, from, end }, dim) => {
    const step = steps[dim] ?? 1;
    const stop = (end - 1) * step + remainder + 1;
    return `${from * step + remainder}:${stop}${step === 1 ? "" : `:${step}`}`;
  });
  return `[${sides.join(", ")}]`;
}
