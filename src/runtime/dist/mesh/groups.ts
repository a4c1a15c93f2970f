import { productOf } from "./shape-rules.ts";

/** The distance between ranks that are neighbours on each axis: row-major, last axis fastest. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1);
  }
  return strides;
}

/** The coordinates of a rank. */
export function coordinatesIn(shape: readonly number[], rank: number): number[] {
  const coordinates = shape.map(() => 0);
  let rest = rank;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] ?? 1;
    coordinates[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return coordinates;
}

/** Ranks that differ only on the given axes, in the order of their coordinates, first axis slowest. */
export function groupsAlong(shape: readonly number[], along: readonly number[]): number[][] {
  const strides = stridesOf(shape);
  const others = shape.map((_, axis) => axis).filter((axis) => !along.includes(axis));
  const bases = offsets(shape, strides, others);
  const members = offsets(shape, strides, along);
  return bases.map((base) => members.map((member) => base + member));
}

/** The one of `groupsAlong` that a rank is in. */
export function groupContaining(
  shape: readonly number[],
  along: readonly number[],
  rank: number,
): number[] {
  const strides = stridesOf(shape);
  const coordinates = coordinatesIn(shape, rank);
  const base = along.reduce(
    (left, axis) => left - (coordinates[axis] ?? 0) * (strides[axis] ?? 1),
    rank,
  );
  return offsets(shape, strides, along).map((member) => base + member);
}

/** The rank offsets of all coordinates on some axes, with zero on the others. */
function offsets(
  shape: readonly number[],
  strides: readonly number[],
  axes: readonly number[],
): number[] {
  const sizes = axes.map((axis) => shape[axis] ?? 1);
  return Array.from({ length: productOf(sizes) }, (_, index) =>
    coordinatesIn(sizes, index).reduce(
      (sum, coordinate, position) => sum + coordinate * (strides[axes[position] ?? 0] ?? 1),
      0,
    ),
  );
}
