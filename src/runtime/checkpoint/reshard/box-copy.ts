import { contiguousStrides } from "../../tensor/shape.ts";
import type { Box } from "./box.ts";

/** Elements in memory as whole numbers, so that no bit of a NaN changes on the way. */
export type Bits = Uint8Array | Uint16Array | Uint32Array;

/**
 * How the elements of a box lie in two row-major arrays. Dimensions that can be walked as one are
 * one; the last is the line that is copied at once. Everything counts in elements.
 */
export interface BoxCopy {
  readonly counts: readonly number[];
  readonly fromStrides: readonly number[];
  readonly toStrides: readonly number[];
  readonly fromBase: number;
  readonly toBase: number;
}

/** Where a box lies: the array's shape, and which of its elements. */
export interface BoxPlace {
  readonly shape: readonly number[];
  readonly box: Box;
}

/** The walk through a box that lies in two arrays; both places have the same counts. */
export function boxCopy(from: BoxPlace, to: BoxPlace): BoxCopy {
  const [fromSides, toSides] = [sidesOf(from), sidesOf(to)];
  const counts: number[] = [];
  const fromStrides: number[] = [];
  const toStrides: number[] = [];
  for (const [dim, { count }] of from.box.entries()) {
    if (count === 1) continue;
    const fromStride = fromSides.strides[dim] as number;
    const toStride = toSides.strides[dim] as number;
    const outer = counts.length - 1;
    const joins =
      outer >= 0 &&
      fromStrides[outer] === fromStride * count &&
      toStrides[outer] === toStride * count;
    if (joins) {
      counts[outer] = (counts[outer] as number) * count;
      fromStrides[outer] = fromStride;
      toStrides[outer] = toStride;
    } else {
      counts.push(count);
      fromStrides.push(fromStride);
      toStrides.push(toStride);
    }
  }
  if (counts.length === 0) {
    counts.push(1);
    fromStrides.push(1);
    toStrides.push(1);
  }
  return { counts, fromStrides, toStrides, fromBase: fromSides.base, toBase: toSides.base };
}

export interface CopyRange {
  /** Which elements of the box, in row-major order: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  readonly from: Bits;
  /** The place in its array that the first element of `from` has. */
  readonly fromFirst: number;
  readonly to: Bits;
  readonly toFirst?: number;
  /** Entries of `from` and `to` that make one element. */
  readonly width: 1 | 2;
}

/** Copies some elements of a box from one array to the other, bit for bit. */
export function copyRange(copy: BoxCopy, range: CopyRange): void {
  const { counts, fromStrides, toStrides } = copy;
  const inner = counts.length - 1;
  const lineLength = counts[inner] as number;
  const line = { fromStep: fromStrides[inner] as number, toStep: toStrides[inner] as number };
  for (let at = range.start; at < range.end; ) {
    const within = at % lineLength;
    let row = (at - within) / lineLength;
    let from = copy.fromBase - range.fromFirst + within * line.fromStep;
    let to = copy.toBase - (range.toFirst ?? 0) + within * line.toStep;
    for (let dim = inner - 1; dim >= 0; dim--) {
      const count = counts[dim] as number;
      const index = row % count;
      from += index * (fromStrides[dim] as number);
      to += index * (toStrides[dim] as number);
      row = (row - index) / count;
    }
    const count = Math.min(lineLength - within, range.end - at);
    copyLine(range, { ...line, from, to, count });
    at += count;
  }
}

interface Line {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly fromStep: number;
  readonly toStep: number;
}

/** Shorter lines than this are copied faster by a loop. */
const setFrom = 24;

function copyLine({ from, to, width }: CopyRange, line: Line): void {
  const { count, fromStep, toStep } = line;
  if (fromStep === 1 && toStep === 1 && count * width >= setFrom) {
    to.set(from.subarray(line.from * width, (line.from + count) * width), line.to * width);
    return;
  }
  let source = line.from * width;
  let target = line.to * width;
  for (let left = count; left > 0; left--) {
    to[target] = from[source] as number;
    if (width === 2) to[target + 1] = from[source + 1] as number;
    source += fromStep * width;
    target += toStep * width;
  }
}

function sidesOf({ shape, box }: BoxPlace): { strides: number[]; base: number } {
  const strides = contiguousStrides(shape);
  let base = 0;
  const stepped = box.map(({ start, step }, dim) => {
    const stride = strides[dim] as number;
    base += start * stride;
    return step * stride;
  });
  return { strides: stepped, base };
}
