import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { type DType, dtypeInfo, type RawArray } from "./dtype.ts";

// Below this a thread would spend longer fetching work than doing it.
const sharedFromBytes = 64 * 1024;

/**
 * Storage for `count` elements, all zero. From 64 KiB on it lies in a SharedArrayBuffer, so that
 * threads can work on it where it is. Throws E_SHAPE when there is no such amount of memory.
 */
export function allocateRaw(dtype: DType, count: number): RawArray {
  assert(Number.isSafeInteger(count) && count >= 0, "a count is a whole number from 0");
  const sizeBytes = count * dtypeInfo(dtype).bytes;
  try {
    const buffer =
      sizeBytes >= sharedFromBytes ? new SharedArrayBuffer(sizeBytes) : new ArrayBuffer(sizeBytes);
    return rawOver(dtype, { buffer, byteOffset: 0, count });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const problem = `there is no room for ${count} elements of ${dtype}, ${formatBytes(sizeBytes)}`;
    throw new TesseraError(
      "E_SHAPE",
      { operation: "tensor", problem },
      {
        cause,
        hint: "Make a smaller tensor, or a distributed one, whose values are made where they are read.",
      },
    );
  }
}

/** Where elements lie in a buffer. */
export interface RawPlace {
  readonly buffer: ArrayBufferLike;
  /** A multiple of the dtype's bytes. */
  readonly byteOffset: number;
  /** In elements. */
  readonly count: number;
}

/** A raw array of this dtype over bytes that are already there. */
export function rawOver(dtype: DType, { buffer, byteOffset, count }: RawPlace): RawArray {
  switch (dtype) {
    case "f64":
      return new Float64Array(buffer, byteOffset, count);
    case "f32":
      return new Float32Array(buffer, byteOffset, count);
    case "i32":
      return new Int32Array(buffer, byteOffset, count);
    case "f16":
    case "bf16":
      return new Uint16Array(buffer, byteOffset, count);
    default:
      return new Uint8Array(buffer, byteOffset, count);
  }
}

/** True when this array is what elements of the dtype are stored in. */
export function storesDType(raw: RawArray, dtype: DType): boolean {
  switch (dtype) {
    case "f64":
      return raw instanceof Float64Array;
    case "f32":
      return raw instanceof Float32Array;
    case "i32":
      return raw instanceof Int32Array;
    case "f16":
    case "bf16":
      return raw instanceof Uint16Array;
    default:
      return raw instanceof Uint8Array;
  }
}

/**
 * The same storage as whole numbers: one Uint32, Uint16 or Uint8 per element, two Uint32 for f64.
 * To copy elements through this view keeps every bit; through a float view, the bits of a NaN may
 * change on the way.
 */
export function bitsOf(raw: RawArray): Uint32Array | Uint16Array | Uint8Array {
  if (raw instanceof Uint8Array || raw instanceof Uint16Array) return raw;
  return new Uint32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4);
}

/** The same storage as bytes, in the order of this machine (little-endian wherever Node runs). */
export function bytesOf(raw: RawArray): Uint8Array {
  return new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
}
