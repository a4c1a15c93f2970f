import { type DType, highHalf, type RawArray } from "../../tensor/dtype/index.ts";

/**
 * How many representable values two elements are apart, each a place in storage of the dtype: 1 for
 * neighbours, 0 for 0 and -0. Infinity counts as the value after the largest. NaN has no place; do not ask.
 * Exact below 2^53.
 */
export function ulpDistance(
  dtype: DType,
  a: { readonly raw: RawArray; readonly at: number },
  b: { readonly raw: RawArray; readonly at: number },
): number {
  return Math.abs(Number(placeOf(dtype, a.raw, a.at) - placeOf(dtype, b.raw, b.at)));
}

/** Elements in the order of their values, as whole numbers: sign and magnitude of the bits. */
function placeOf(dtype: DType, raw: RawArray, at: number): bigint {
  if (dtype === "i32" || dtype === "u8") return BigInt(raw[at] as number);
  if (dtype === "f64") {
    const words = new Uint32Array(raw.buffer, raw.byteOffset + 8 * at, 2);
    const high = words[highHalf] as number;
    const low = words[1 - highHalf] as number;
    const magnitude = (BigInt(high & 0x7fffffff) << 32n) | BigInt(low);
    return high >>> 31 === 1 ? -magnitude : magnitude;
  }
  const bits =
    dtype === "f32"
      ? (new Uint32Array(raw.buffer, raw.byteOffset + 4 * at, 1)[0] as number)
      : (raw[at] as number);
  const sign = dtype === "f32" ? 2 ** 31 : raw.BYTES_PER_ELEMENT === 2 ? 2 ** 15 : 2 ** 7;
  return bits >= sign ? -BigInt(bits - sign) : BigInt(bits);
}
