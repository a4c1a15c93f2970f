import type { DimSlice } from "../layout/index.ts";

/** A part of a row-major whole: some indices of each of its dimensions. */
export interface Box {
  /** Of the whole. */
  readonly shape: readonly number[];
  readonly slices: readonly DimSlice[];
}

/** Elements that lie next to each other both in the box and in the whole. */
export interface BoxRun {
  readonly wholeStart: number;
  readonly boxStart: number;
  readonly count: number;
}

/** The shape of what a box holds. */
export function boxShape(slices: readonly DimSlice[]): number[] {
  return slices.map(({ count }) => count);
}

/** True when the slice takes every index of a dimension in order. */
export function takesAll({ start, step, count }: DimSlice, length: number): boolean {
  return count === length && (length < 2 || step === 1) && (length === 0 || start === 0);
}

/** The runs that make up elements `start` to `start + count` of a box, in order. */
export function* runsOf(box: Box, start: number, count: number): Generator<BoxRun> {
  const { run, outer, base } = walkOf(box);
  if (run === 0) return;
  for (let done = 0; done < count; ) {
    const boxStart = start + done;
    const within = boxStart % run;
    let row = (boxStart - within) / run;
    let wholeStart = base + within;
    for (let at = outer.length - 1; at >= 0; at--) {
      const dim = outer[at] as OuterDim;
      wholeStart += (row % dim.count) * dim.stride;
      row = Math.floor(row / dim.count);
    }
    const taken = Math.min(run - within, count - done);
    yield { wholeStart, boxStart, count: taken };
    done += taken;
  }
}

/** Where the whole box starts in the whole, when it lies there in one run; else undefined. */
export function onlyRun(box: Box): number | undefined {
  const { outer, base } = walkOf(box);
  return outer.every(({ count }) => count === 1) ? base : undefined;
}

interface OuterDim {
  readonly count: number;
  /** How far apart in the whole, in elements. */
  readonly stride: number;
}

interface Walk {
  /** Elements of one run; 0 for an empty box. */
  readonly run: number;
  /** What is left to walk through, outermost first. */
  readonly outer: readonly OuterDim[];
  /** The place of the box's first element. */
  readonly base: number;
}

function walkOf({ shape, slices }: Box): Walk {
  if (slices.some(({ count }) => count === 0)) return { run: 0, outer: [], base: 0 };
  const outer: OuterDim[] = [];
  let run = 1;
  let stride = 1;
  let base = 0;
  // From the innermost dimension outwards: whole dimensions lengthen the run, the first one that
  // is taken in part may still do so, and everything outside of it is walked through.
  let isJoined = true;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const length = shape[dim] as number;
    const slice = slices[dim] as DimSlice;
    base += slice.start * stride;
    if (isJoined && (slice.step === 1 || slice.count === 1)) run *= slice.count;
    else outer.unshift({ count: slice.count, stride: slice.step * stride });
    isJoined &&= takesAll(slice, length);
    stride *= length;
  }
  return { run, outer, base };
}
