import {
  allocateRaw,
  type DType,
  decodeInto,
  encodeInto,
  type RawArray,
} from "../../dtype/index.ts";
import { readSource } from "../read-source.ts";
import type { ChunkSource } from "../types.ts";
import { type Carrier, combineOf, roundAllTo } from "./arithmetic.ts";
import { combine, type FoldSegment, stackDepth } from "./order.ts";

export interface NumberFold {
  readonly dtype: DType;
  readonly op: "sum" | "avg" | "prod" | "min" | "max";
  readonly sources: readonly ChunkSource[];
  readonly segments: readonly FoldSegment[];
  readonly carrier: Carrier;
  readonly out: RawArray;
  readonly outStart: number;
}

const pieceMax = 4096;

/**
 * Combines values two at a time in a given order, the running value in its carrier. `avg` divides
 * the sum by the number of sources in the carrier. The TypeScript twin of the kernels.
 */
export function foldNumbers(fold: NumberFold): void {
  const { dtype, sources, segments, out, outStart } = fold;
  const depth = Math.max(1, ...segments.map(({ steps }) => stackDepth(steps)));
  const longest = Math.max(0, ...segments.map(({ count }) => count));
  const piece = Math.min(pieceMax, longest);
  const raw = allocateRaw(dtype, piece);
  const round = roundAllTo(dtype, raw);
  const stack = Array.from({ length: depth }, () => new Float64Array(piece));
  const slot = (index: number) => stack[index] as Float64Array;
  const merge = combineOf(fold.op === "avg" ? "sum" : fold.op, fold.carrier, round);
  for (const segment of segments) {
    for (let done = 0; done < segment.count; done += piece) {
      const start = segment.start + done;
      const count = Math.min(piece, segment.count - done);
      let top = -1;
      for (const step of segment.steps) {
        if (step === combine) {
          merge(slot(top - 1), slot(top), count);
          top--;
        } else {
          top++;
          readSource(sources[step] as ChunkSource, dtype, start, count, raw, 0);
          decodeInto(dtype, raw, 0, count, slot(top));
        }
      }
      if (fold.op === "avg") divideAll(slot(0), count, fold);
      encodeInto(dtype, slot(0), 0, count, out, outStart + start);
    }
  }
}

/** In f32, the quotient rounded to a double and then to a single is the quotient rounded once. */
function divideAll(values: Float64Array, count: number, { carrier, sources }: NumberFold): void {
  for (let i = 0; i < count; i++) {
    const quotient = (values[i] as number) / sources.length;
    values[i] = carrier === "f32" ? Math.fround(quotient) : quotient;
  }
}
