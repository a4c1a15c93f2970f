import { allocateRaw, bitsOf, decodeInto, dtypeInfo, encodeInto } from "../dtype/index.ts";
import { readSource } from "./read-source.ts";
import type { ResolvedRequest } from "./request.ts";
import { allSame } from "./same-source.ts";
import type { ChunkSource } from "./types.ts";

const pieceMax = 16_384;

/**
 * True when all sources are one and the same and the result follows from one of them. A product and
 * the orders that round on the way have to be carried out all the same.
 */
export function isAliased({ op, order, dtype, sources }: ResolvedRequest): boolean {
  if (op === "prod" || !allSame(sources)) return false;
  const rounds = (op === "sum" || op === "avg") && dtypeInfo(dtype).kind === "float";
  return order === "exact" || !rounds;
}

/** n times x, rounded once; or x itself. Reads one source, whatever their number. */
export function reduceAliased(request: ResolvedRequest): void {
  const { count, sources } = request;
  const source = sources[0] as ChunkSource;
  const { dtype, out, outStart } = request;
  const factor = factorOf(request);
  const scratch = allocateRaw(dtype, Math.min(pieceMax, count));
  const values = new Float64Array(scratch.length);
  const bitwise = request.op === "band" || request.op === "bor" || request.op === "bxor";
  for (let start = 0; start < count; start += pieceMax) {
    const piece = Math.min(pieceMax, count - start);
    if (bitwise && factor === 1) {
      readSource(source, dtype, start, piece, out, outStart + start);
      continue;
    }
    readSource(source, dtype, start, piece, scratch, 0);
    if (bitwise) {
      bitsOf(scratch).fill(0);
      readSource({ kind: "raw", raw: scratch, start: 0 }, dtype, 0, piece, out, outStart + start);
      continue;
    }
    decodeInto(dtype, scratch, 0, piece, values);
    for (let i = 0; i < piece; i++) values[i] = multiply(request, values[i] as number, factor);
    encodeInto(dtype, values, 0, piece, out, outStart + start);
  }
}

/** How often the source counts. */
function factorOf({ op, sources }: ResolvedRequest): number {
  if (op === "sum") return sources.length;
  return op === "bxor" ? sources.length % 2 : 1;
}

/** The product of a value of a float format and a small whole number is exact, or rounded once. */
function multiply({ dtype }: ResolvedRequest, value: number, factor: number): number {
  if (dtype === "i32") return Math.imul(value, factor);
  return dtype === "u8" ? (value * factor) & 0xff : value * factor;
}
