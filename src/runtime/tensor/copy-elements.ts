import { mergedDims, type View } from "./view.ts";

type Bits = Uint32Array | Uint16Array | Uint8Array;

/** Which elements of a view to copy, in row-major order, and where to. */
export interface CopyElements {
  readonly view: View;
  readonly from: Bits;
  /** The first element, counted in row-major order. */
  readonly start: number;
  readonly count: number;
  readonly to: Bits;
  /** In elements. */
  readonly toStart: number;
  /** Entries of the arrays for one element: 2 for f64, else 1. */
  readonly width: 1 | 2;
}

// Shorter runs are copied faster one by one than by a call.
const longRun = 16;

/** Copies elements of a view bit by bit, without copying the view as a whole. */
export function copyElements({ view, from, start, count, to, toStart, width }: CopyElements): void {
  if (count === 0) return;
  const dims = mergedDims(view);
  const inner = dims.pop() ?? { length: 1, stride: 1 };
  const index = new Array<number>(dims.length).fill(0);
  let at = start % inner.length;
  let row = Math.floor(start / inner.length);
  let rowPlace = view.offset;
  for (let dim = dims.length - 1; dim >= 0; dim--) {
    const { length, stride } = dims[dim] as (typeof dims)[number];
    index[dim] = row % length;
    rowPlace += (row % length) * stride;
    row = Math.floor(row / length);
  }
  for (let copied = 0; copied < count; ) {
    const run = Math.min(inner.length - at, count - copied);
    copyRun(
      { from, place: rowPlace + at * inner.stride, stride: inner.stride, run, width },
      to,
      toStart + copied,
    );
    copied += run;
    at = 0;
    for (let dim = dims.length - 1; dim >= 0; dim--) {
      const { length, stride } = dims[dim] as (typeof dims)[number];
      const next = (index[dim] as number) + 1;
      index[dim] = next === length ? 0 : next;
      rowPlace += next === length ? -(length - 1) * stride : stride;
      if (next < length) break;
    }
  }
}

interface Run {
  readonly from: Bits;
  readonly place: number;
  readonly stride: number;
  readonly run: number;
  readonly width: 1 | 2;
}

function copyRun({ from, place, stride, run, width }: Run, to: Bits, toStart: number): void {
  if (stride === 1 && run >= longRun) {
    to.set(from.subarray(place * width, (place + run) * width), toStart * width);
  } else if (width === 1) {
    for (let i = 0; i < run; i++) to[toStart + i] = from[place + i * stride] as number;
  } else {
    for (let i = 0; i < run; i++) {
      const at = 2 * (place + i * stride);
      to[2 * (toStart + i)] = from[at] as number;
      to[2 * (toStart + i) + 1] = from[at + 1] as number;
    }
  }
}
