import { f32x4, i32, i32x4, type V128 } from "../wasm/assembler/index.ts";

/** How a word becomes an f32: `uniform` in [0, 1), `symmetric` in [-1, 1). */
export type RandomF32Kind = "uniform" | "symmetric";

/** Twenty-four bits of each word as an exact f32; `scale` is `randomF32Scale` in a variable. */
export function randomF32(kind: RandomF32Kind, o: { words: V128; scale: V128 }): V128 {
  const shift = kind === "uniform" ? i32x4.shrU : i32x4.shrS;
  return f32x4.mul(f32x4.convertI32x4S(shift(o.words, i32.const(8))), o.scale);
}

/** What `randomF32` multiplies by; keep it in a variable outside the loop. */
export function randomF32Scale(kind: RandomF32Kind): V128 {
  const scale = kind === "uniform" ? 2 ** -24 : 2 ** -23;
  return f32x4.const(scale, scale, scale, scale);
}
