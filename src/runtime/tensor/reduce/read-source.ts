import assert from "node:assert/strict";
import { bitsOf, type DType, encodeInto, type RawArray } from "../dtype/index.ts";
import { fillSymmetricF32, fillUniformF32 } from "../kernels/index.ts";
import { fillRandom, philoxKeyOf } from "../random/index.ts";
import type { BitPatch, ChunkSource } from "./types.ts";

const kernelElementsMin = 16_384;

/**
 * Writes the elements `start` to `start + count` of a source, as stored bits of the dtype, to `out`
 * from `outStart` on.
 */
export function readSource(
  source: ChunkSource,
  dtype: DType,
  start: number,
  count: number,
  out: RawArray,
  outStart: number,
): void {
  assert(start >= 0 && count >= 0 && outStart + count <= out.length, "elements that fit");
  switch (source.kind) {
    case "raw":
      copyBits(source.raw, source.start + start, count, out, outStart);
      return;
    case "random":
      readRandom(source, dtype, start, count, out, outStart);
      return;
    case "constant":
      if (count === 0) return;
      encodeInto(dtype, Float64Array.of(source.value), 0, 1, out, outStart);
      repeatFirst(out, outStart, count);
      return;
    case "patched":
      readSource(source.source, dtype, start, count, out, outStart);
      for (const patch of source.patches) {
        if (patch.index >= start && patch.index < start + count) {
          applyPatch(patch, out, outStart + patch.index - start);
        }
      }
  }
}

type RandomSource = Extract<ChunkSource, { kind: "random" }>;

/** By the kernels where there are some and it is worth their while. */
function readRandom(
  { spec, start: first }: RandomSource,
  dtype: DType,
  start: number,
  count: number,
  out: RawArray,
  outStart: number,
): void {
  const startIndex = first + start;
  if (spec.kind === "normal" || !(out instanceof Float32Array) || count < kernelElementsMin) {
    fillRandom(spec, dtype, startIndex, count, out, outStart);
    return;
  }
  const fill = spec.kind === "uniform" ? fillUniformF32 : fillSymmetricF32;
  fill({ ...philoxKeyOf(spec), startIndex, count, out, outStart });
}

/** Through whole numbers, because a float view may change the bits of a NaN. */
function copyBits(
  raw: RawArray,
  start: number,
  count: number,
  out: RawArray,
  outStart: number,
): void {
  assert(start + count <= raw.length, "a source has all of its elements");
  const from = bitsOf(raw);
  const to = bitsOf(out);
  const words = from.length / Math.max(1, raw.length);
  to.set(from.subarray(start * words, (start + count) * words), outStart * words);
}

function repeatFirst(out: RawArray, outStart: number, count: number): void {
  const bits = bitsOf(out);
  const words = out instanceof Float64Array ? 2 : 1;
  const first = bits.slice(outStart * words, (outStart + 1) * words);
  for (let word = 0; word < count * words; word++) {
    bits[outStart * words + word] = first[word % words] as number;
  }
}

function applyPatch({ xor, xorHigh = 0 }: BitPatch, out: RawArray, index: number): void {
  const bits = bitsOf(out);
  if (out instanceof Float64Array) {
    bits[2 * index] = (bits[2 * index] as number) ^ xor;
    bits[2 * index + 1] = (bits[2 * index + 1] as number) ^ xorHigh;
  } else {
    bits[index] = (bits[index] as number) ^ xor;
  }
}
