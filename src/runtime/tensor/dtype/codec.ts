import assert from "node:assert/strict";
import { highHalf } from "./byte-order.ts";
import { type DType, dtypeInfo, type RawArray } from "./dtype.ts";
import { encodeSmallFloat } from "./encode-small-float.ts";
import { bitsOf, storesDType } from "./raw-array.ts";
import { decodeTable, smallFloatFormats } from "./small-float.ts";

/**
 * Writes the values of `count` stored elements, from element `start` on, to `out` from `outStart`
 * (default 0) on. Exact: every value of every dtype is a double.
 */
export function decodeInto(
  dtype: DType,
  raw: RawArray,
  start: number,
  count: number,
  out: Float64Array,
  outStart = 0,
): void {
  assertStretch(raw, start, count);
  assertStretch(out, outStart, count);
  assert(storesDType(raw, dtype), "the storage is of the dtype");
  switch (dtype) {
    case "f16":
    case "bf16":
      decode16(decodeTable(dtype), raw as Uint16Array, { start, count }, out, outStart);
      return;
    case "e4m3":
    case "e5m2":
      decode8(decodeTable(dtype), raw as Uint8Array, { start, count }, out, outStart);
      return;
    default:
      out.set(raw.subarray(start, start + count), outStart);
  }
}

interface Stretch {
  readonly start: number;
  readonly count: number;
}

// Two functions with the same text: a loop over one type of array runs several times as fast.
function decode16(
  table: Float64Array,
  raw: Uint16Array,
  { start, count }: Stretch,
  out: Float64Array,
  outStart: number,
): void {
  for (let i = 0; i < count; i++) out[outStart + i] = table[raw[start + i] as number] as number;
}

function decode8(
  table: Float64Array,
  raw: Uint8Array,
  { start, count }: Stretch,
  out: Float64Array,
  outStart: number,
): void {
  for (let i = 0; i < count; i++) out[outStart + i] = table[raw[start + i] as number] as number;
}

/**
 * Stores `count` values, from `values[start]` on, as elements of `out` from `outStart` (default 0)
 * on. Each is rounded once, to nearest with ties to even. What is too large becomes Inf, and NaN in
 * e4m3, which has no Inf. -0 stays -0; every NaN becomes the positive quiet NaN without payload.
 * Integers are rounded likewise and stop at the ends of their range, NaN becomes 0: refuse such
 * values before where they would be a mistake.
 */
export function encodeInto(
  dtype: DType,
  values: Float64Array,
  start: number,
  count: number,
  out: RawArray,
  outStart = 0,
): void {
  encode(dtype, { values, start, count, out, outStart, saturate: false });
}

/** As `encodeInto`, but what is too large, Inf too, becomes the largest finite value of its sign. */
export function encodeSaturatedInto(
  dtype: DType,
  values: Float64Array,
  start: number,
  count: number,
  out: RawArray,
  outStart = 0,
): void {
  encode(dtype, { values, start, count, out, outStart, saturate: true });
}

/** The value that storing this one in the dtype leaves; see `encodeInto` for what is too large. */
export function roundTo(dtype: DType, value: number): number {
  if (dtype === "f64") return value;
  if (dtype === "f32") return Math.fround(value);
  one[0] = value;
  const raw = oneRaw(dtype);
  encodeInto(dtype, one, 0, 1, raw);
  decodeInto(dtype, raw, 0, 1, one);
  return one[0];
}

const one = new Float64Array(1);
const oneU8 = new Uint8Array(1);
const oneU16 = new Uint16Array(1);
const oneI32 = new Int32Array(1);

function oneRaw(dtype: DType): RawArray {
  if (dtype === "i32") return oneI32;
  return dtype === "f16" || dtype === "bf16" ? oneU16 : oneU8;
}

interface Encode {
  readonly values: Float64Array;
  readonly start: number;
  readonly count: number;
  readonly out: RawArray;
  readonly outStart: number;
  readonly saturate: boolean;
}

function encode(dtype: DType, job: Encode): void {
  const { values, start, count, out, outStart } = job;
  assertStretch(values, start, count);
  assertStretch(out, outStart, count);
  assert(storesDType(out, dtype), "the storage is of the dtype");
  switch (dtype) {
    case "f64":
    case "f32":
      encodeNative(dtype, job);
      return;
    case "i32":
    case "u8":
      encodeInteger(dtype, job);
      return;
    default:
      encodeSmallFloat(smallFloatFormats[dtype], { ...job, out: out as Uint16Array | Uint8Array });
  }
}

/** Storing in a Float32Array rounds as we want; only the bits of NaN are left to the engine. */
function encodeNative(dtype: "f64" | "f32", job: Encode): void {
  const { values, start, count, out, outStart, saturate } = job;
  const { max } = dtypeInfo(dtype);
  const bits = bitsOf(out);
  out.set(values.subarray(start, start + count), outStart);
  for (let i = 0; i < count; i++) {
    const value = values[start + i] as number;
    if (value !== value) writeNaN(dtype, bits, outStart + i);
    else if (saturate) out[outStart + i] = clamp(value, -max, max);
  }
}

function writeNaN(dtype: "f64" | "f32", bits: ReturnType<typeof bitsOf>, index: number): void {
  if (dtype === "f64") {
    bits[2 * index + highHalf] = 0x7ff80000;
    bits[2 * index + 1 - highHalf] = 0;
  } else {
    bits[index] = 0x7fc00000;
  }
}

// Adding and taking away this leaves a number below 2^51 rounded to a whole one, ties to even.
const roundingShift = 1.5 * 2 ** 52;

function encodeInteger(dtype: "i32" | "u8", job: Encode): void {
  const { values, start, count, out, outStart } = job;
  const { min, max } = dtypeInfo(dtype);
  for (let i = 0; i < count; i++) {
    const value = clamp(values[start + i] as number, min, max);
    out[outStart + i] = value + roundingShift - roundingShift;
  }
}

/** NaN stays NaN. */
function clamp(value: number, min: number, max: number): number {
  if (value > max) return max;
  return value < min ? min : value;
}

function assertStretch(array: RawArray, start: number, count: number): void {
  assert(
    Number.isSafeInteger(start) && Number.isSafeInteger(count) && start >= 0 && count >= 0,
    "a stretch has whole numbers for start and count",
  );
  assert(start + count <= array.length, "a stretch lies within its array");
}
