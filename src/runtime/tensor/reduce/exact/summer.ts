import { encodeInto } from "../../dtype/index.ts";
import type { ResolvedRequest } from "../request.ts";
import type { ExactSum } from "./job.ts";
import { DoubleSummer } from "./sum-double.ts";
import { NarrowSummer } from "./sum-narrow.ts";

const pieceMax = 4096;

/** The exact sum or average of floats in TypeScript; returns how many elements were accumulated. */
export function sumExactly(request: ResolvedRequest): number {
  const { count, out, outStart } = request;
  const piece = Math.min(pieceMax, count);
  const values = new Float64Array(piece);
  const summer = summerOf(request, piece);
  let accumulated = 0;
  for (let start = 0; start < count; start += pieceMax) {
    const length = Math.min(pieceMax, count - start);
    accumulated += summer.sum({ start, count: length }, values);
    encodeInto(request.dtype, values, 0, length, out, outStart + start);
  }
  return accumulated;
}

function summerOf(request: ResolvedRequest, piece: number): NarrowSummer | DoubleSummer {
  const { dtype, op, sources, groups } = request;
  const divisor = op === "avg" ? sources.length : 1;
  const sum: ExactSum = { dtype, sources, groups, divisor };
  if (dtype === "f64") return new DoubleSummer(sum, piece);
  if (dtype === "i32" || dtype === "u8") throw new TypeError("integers need no exact sum");
  return new NarrowSummer({ ...sum, dtype }, piece);
}
