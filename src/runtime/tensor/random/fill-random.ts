import assert from "node:assert/strict";
import { type DType, encodeInto, type RawArray } from "../dtype/index.ts";
import { inverseNormal } from "./inverse-normal.ts";
import { philoxWords } from "./philox-words.ts";
import { philoxKeyOf, type RandomSpec } from "./random-spec.ts";

const pieceElements = 4096;

/**
 * Stores random values `startIndex`, `startIndex + 1`, … of a spec as `count` elements of `out` from
 * `outStart` (default 0) on. Each is made as a double and rounded once to the dtype.
 */
export function fillRandom(
  spec: RandomSpec,
  dtype: DType,
  startIndex: number,
  count: number,
  out: RawArray,
  outStart = 0,
): void {
  const key = philoxKeyOf(spec);
  const words = new Uint32Array(Math.min(count, pieceElements));
  const values = new Float64Array(words.length);
  for (let done = 0; done < count; done += pieceElements) {
    const piece = words.subarray(0, Math.min(pieceElements, count - done));
    philoxWords(key, startIndex + done, piece);
    toValues(spec.kind, piece, values);
    encodeInto(dtype, values, 0, piece.length, out, outStart + done);
  }
}

function toValues(kind: RandomSpec["kind"], words: Uint32Array, values: Float64Array): void {
  switch (kind) {
    case "uniform":
      for (let i = 0; i < words.length; i++) values[i] = ((words[i] as number) >>> 8) * 2 ** -24;
      return;
    case "symmetric":
      // The shift of the signed word leaves its upper 24 bits with their sign.
      for (let i = 0; i < words.length; i++) values[i] = ((words[i] as number) >> 8) * 2 ** -23;
      return;
    case "normal":
      for (let i = 0; i < words.length; i++) {
        // A half added keeps the chance off 0 and 1, where the normal is infinite.
        values[i] = inverseNormal(((words[i] as number) + 0.5) * 2 ** -32);
      }
      return;
    default:
      assert.fail(`random values are uniform, symmetric or normal, not ${String(kind)}`);
  }
}
