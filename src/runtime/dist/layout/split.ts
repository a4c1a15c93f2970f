import type { ShardPlacement } from "./placement.ts";

/** The elements of one dimension that a device holds: start, start + step, … `count` of them. */
export interface DimSlice {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** One part of a dimension that is split into several. */
export interface SplitQuestion {
  readonly length: number;
  readonly parts: number;
  /** Which part, from 0. */
  readonly index: number;
  readonly how: Pick<ShardPlacement, "split" | "block">;
}

/** The part's elements, as positions in what is split. */
export function splitPart({ length, parts, index, how }: SplitQuestion): DimSlice {
  if (how.split === "cyclic") {
    return { start: index, step: parts, count: Math.max(0, Math.ceil((length - index) / parts)) };
  }
  const block = how.block ?? 1;
  const blocks = Math.ceil(length / block);
  const [first, end] = how.split === "ceil" ? byCeil() : balanced();
  const start = Math.min(length, first * block);
  return { start, step: 1, count: Math.min(length, end * block) - start };

  function byCeil(): [number, number] {
    const each = Math.ceil(blocks / parts);
    return [Math.min(blocks, index * each), Math.min(blocks, (index + 1) * each)];
  }

  function balanced(): [number, number] {
    const each = Math.floor(blocks / parts);
    const larger = blocks % parts;
    const first = index * each + Math.min(index, larger);
    return [first, first + each + (index < larger ? 1 : 0)];
  }
}

/** The part of a part, as elements of the whole. */
export function composeSlices(outer: DimSlice, inner: DimSlice): DimSlice {
  return {
    start: outer.start + inner.start * outer.step,
    step: outer.step * inner.step,
    count: inner.count,
  };
}
