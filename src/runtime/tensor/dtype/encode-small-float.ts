import { highHalf } from "./byte-order.ts";
import type { SmallFloatFormat } from "./small-float.ts";

/** A stretch of doubles to encode, and where the bits go. */
export interface EncodeJob {
  readonly values: Float64Array;
  readonly start: number;
  readonly count: number;
  readonly out: Uint16Array | Uint8Array;
  readonly outStart: number;
  /** True: what overflows, Inf too, becomes the largest finite value of its sign. */
  readonly saturate: boolean;
}

/**
 * Rounds doubles to a small float, to nearest with ties to even, once: from the 53 bits of the
 * double straight to the bits kept. Works on the upper 21 bits of the significand; the lower 32 only
 * matter as "something is there", because every format drops at least ten of the upper ones.
 */
export function encodeSmallFloat(format: SmallFloatFormat, job: EncodeJob): void {
  const { values, start, count, out, outStart, saturate } = job;
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const { mantissaBits, bias, maxFinite, nan } = format;
  const overflow = saturate ? maxFinite : format.overflow;
  const dropped = 20 - mantissaBits;
  const rebias = (1023 - bias) << 20;
  const smallestNormal = (1023 - bias + 1) << 20;
  const signShift = 32 - format.bits;
  const signBit = 1 << (format.bits - 1);
  for (let i = 0; i < count; i++) {
    const at = 2 * (start + i);
    const word = words[at + highHalf] as number;
    const rest = words[at + 1 - highHalf] as number;
    const magnitude = word & 0x7fffffff;
    let bits: number;
    if (magnitude >= 0x7ff00000) {
      if (magnitude > 0x7ff00000 || rest !== 0) {
        out[outStart + i] = nan;
        continue;
      }
      bits = overflow;
    } else if (magnitude >= smallestNormal) {
      // Sign-free fields move as one number: a carry out of the significand raises the exponent.
      bits = shiftToNearestEven(magnitude - rebias, dropped, rest);
      if (bits > maxFinite) bits = overflow;
    } else {
      const shift = dropped + 1 - bias + 1023 - (magnitude >>> 20);
      // From 22 on, even the hidden bit is below half of the smallest subnormal.
      bits = shift > 21 ? 0 : shiftToNearestEven((magnitude & 0xfffff) | 0x100000, shift, rest);
    }
    out[outStart + i] = ((word >>> signShift) & signBit) | bits;
  }
}

/** `value / 2^shift` to nearest, ties to even, where `rest` stands for bits below the value. */
function shiftToNearestEven(value: number, shift: number, rest: number): number {
  const kept = value >>> shift;
  const lost = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  const up = lost > half || (lost === half && (rest !== 0 || (kept & 1) === 1));
  return up ? kept + 1 : kept;
}
