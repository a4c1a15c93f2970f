import { decodeInto, encodeInto } from "../../tensor/dtype/index.ts";
import type { WireDType } from "../ranks.ts";

/** The elements of a buffer, as the machine stores them. */
export type WireArray =
  | Float32Array
  | Float64Array
  | Int32Array
  | Int8Array
  | Uint8Array
  | Uint16Array;

interface WireFormat {
  readonly bytes: number;
  /** Whole numbers up to this are exact, and so are their sums. */
  readonly exactMax: number;
  over(buffer: ArrayBufferLike, byteOffset: number, length: number): WireArray;
}

export const wireDTypes = [
  "f32",
  "f64",
  "bf16",
  "f16",
  "i32",
  "i8",
  "u8",
] as const satisfies readonly WireDType[];

/** How each element type is stored. */
export const wireFormats: Readonly<Record<WireDType, WireFormat>> = {
  f32: { bytes: 4, exactMax: 2 ** 24, over: (...place) => new Float32Array(...place) },
  f64: { bytes: 8, exactMax: 2 ** 53, over: (...place) => new Float64Array(...place) },
  bf16: { bytes: 2, exactMax: 2 ** 8, over: (...place) => new Uint16Array(...place) },
  f16: { bytes: 2, exactMax: 2 ** 11, over: (...place) => new Uint16Array(...place) },
  i32: { bytes: 4, exactMax: 2 ** 31 - 1, over: (...place) => new Int32Array(...place) },
  i8: { bytes: 1, exactMax: 127, over: (...place) => new Int8Array(...place) },
  u8: { bytes: 1, exactMax: 255, over: (...place) => new Uint8Array(...place) },
};

/** The whole buffer as elements. */
export function elementsOf(bytes: Uint8Array, dtype: WireDType): WireArray {
  const format = wireFormats[dtype];
  return format.over(bytes.buffer, bytes.byteOffset, bytes.byteLength / format.bytes);
}

/** What stands in a buffer for a whole number: the number itself, or the bits of a small float. */
export function storedAs(dtype: WireDType, value: number): number {
  if (dtype !== "bf16" && dtype !== "f16") return value;
  const raw = new Uint16Array(1);
  encodeInto(dtype, Float64Array.of(value), 0, 1, raw);
  return raw[0] ?? 0;
}

/** The number that something stored stands for. */
export function valueOf(dtype: WireDType, stored: number): number {
  if (dtype !== "bf16" && dtype !== "f16") return stored;
  const value = new Float64Array(1);
  decodeInto(dtype, Uint16Array.of(stored), 0, 1, value);
  return value[0] ?? 0;
}
