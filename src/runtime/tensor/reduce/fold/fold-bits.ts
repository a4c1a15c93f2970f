import { allocateRaw, bitsOf, type DType, dtypeInfo, type RawArray } from "../../dtype/index.ts";
import { readSource } from "../read-source.ts";
import type { ChunkSource } from "../types.ts";

export interface BitFold {
  readonly dtype: DType;
  readonly op: "band" | "bor" | "bxor";
  readonly sources: readonly ChunkSource[];
  readonly count: number;
  readonly out: RawArray;
  readonly outStart: number;
}

const pieceMax = 4096;

/** Bit operations on what is stored, whatever the dtype. No order can change their result. */
export function foldBits({ dtype, op, sources, count, out, outStart }: BitFold): void {
  const [first, ...others] = sources;
  if (first === undefined) return;
  const scratch = allocateRaw(dtype, Math.min(pieceMax, count));
  const from = bitsOf(scratch);
  const into = bitsOf(out);
  const words = Math.max(1, dtypeInfo(dtype).bytes / 4);
  for (let start = 0; start < count; start += pieceMax) {
    const piece = Math.min(pieceMax, count - start);
    readSource(first, dtype, start, piece, out, outStart + start);
    const at = (outStart + start) * words;
    for (const source of others) {
      readSource(source, dtype, start, piece, scratch, 0);
      for (let word = 0; word < piece * words; word++) {
        into[at + word] = bitOf(op, into[at + word] as number, from[word] as number);
      }
    }
  }
}

function bitOf(op: BitFold["op"], a: number, b: number): number {
  if (op === "band") return a & b;
  return op === "bor" ? a | b : a ^ b;
}
