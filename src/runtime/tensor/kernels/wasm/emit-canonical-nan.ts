import { f32x4, i32x4, type Local, type V128, v128 } from "./assembler/index.ts";

/** The bits every NaN of a result has: quiet, positive, nothing else set. */
export const canonicalNanBits = 0x7fc00000;

/** Four canonical NaNs; keep them in a variable outside the loop. */
export function canonicalNan(): V128 {
  return i32x4.const(canonicalNanBits, canonicalNanBits, canonicalNanBits, canonicalNanBits);
}

/** The same four values, with canonical NaNs: which bits a NaN gets is the processor's choice. */
export function withCanonicalNan(values: Local<"v128">, nan: V128): V128 {
  return v128.bitselect(values, nan, f32x4.eq(values, values));
}
