import type { DimSlice } from "../../dist/layout/split.ts";
import { countBelow, hasIndex, intersectSlices } from "./slice.ts";

/** Some elements of a tensor: one slice for each dimension. Without dimensions, its only element. */
export type Box = readonly DimSlice[];

/** What two boxes of one tensor share, as a box of either of them. */
export interface CommonBox {
  readonly inA: Box;
  readonly inB: Box;
}

/** All of a tensor. */
export function wholeBox(shape: readonly number[]): Box {
  return shape.map((count) => ({ start: 0, step: 1, count }));
}

export function shapeOfBox(box: Box): number[] {
  return box.map(({ count }) => count);
}

/** How many elements a box has. */
export function sizeOfBox(box: Box): number {
  return box.reduce((size, { count }) => size * count, 1);
}

/** A text that is the same for boxes with the same elements in the same order. */
export function keyOfBox(box: Box): string {
  return box.map(keyOfSlice).join(";");
}

/** With one element the step says nothing, and without any the start does not either. */
export function keyOfSlice({ start, step, count }: DimSlice): string {
  if (count === 0) return "0";
  return count === 1 ? `${start}` : `${start},${step},${count}`;
}

/** The elements that both boxes have; undefined when there are none. */
export function intersectBoxes(a: Box, b: Box): CommonBox | undefined {
  const inA: DimSlice[] = [];
  const inB: DimSlice[] = [];
  for (const [dim, slice] of a.entries()) {
    const common = intersectSlices(slice, b[dim] as DimSlice);
    if (common === undefined) return undefined;
    inA.push(common.inA);
    inB.push(common.inB);
  }
  return { inA, inB };
}

/**
 * How many elements of a box come before element `place` of the row-major array that it is cut from.
 * So elements `countBefore(start)` to `countBefore(end)` of the box are those that a run of the
 * array's elements holds.
 */
export function countBefore(box: Box, shape: readonly number[], place: number): number {
  let before = 0;
  let rest = place;
  let stride = shape.reduce((product, length) => product * length, 1);
  let inner = sizeOfBox(box);
  if (stride === 0 || inner === 0 || place <= 0) return 0;
  if (place >= stride) return inner;
  for (const [dim, slice] of box.entries()) {
    stride /= shape[dim] as number;
    inner /= slice.count;
    const index = Math.floor(rest / stride);
    rest -= index * stride;
    before += countBelow(slice, index) * inner;
    if (!hasIndex(slice, index)) return before;
  }
  return before;
}
