import {
  defineKernels,
  type FunctionBuilder,
  f32x4,
  f64x2,
  i8x16,
  i32x4,
  type Local,
  type ModuleBuilder,
  type V128,
  v128,
} from "../../kernels/index.ts";
import { slotStrideBytes, slotsMax } from "./memory.ts";

type Combine = (into: V128, from: V128) => V128;

/** The steps there are kernels for, by the type of the running value and the operation. */
export const foldSteps: Readonly<Record<string, Combine>> = {
  "f32-sum": f32x4.add,
  "f32-prod": f32x4.mul,
  "f32-min": f32x4.min,
  "f32-max": f32x4.max,
  "f64-sum": f64x2.add,
  "f64-prod": f64x2.mul,
  "f64-min": f64x2.min,
  "f64-max": f64x2.max,
  "i32-sum": i32x4.add,
  "i32-prod": i32x4.mul,
  "i32-min": i32x4.minS,
  "i32-max": i32x4.maxS,
  "u8-sum": i8x16.add,
  "bits-band": v128.and,
  "bits-bor": v128.or,
  "bits-bxor": v128.xor,
};

/**
 * Combining buffers two at a time; sizes are multiples of 64 bytes.
 *
 * - `TYPE-OP`: one buffer into another; `TYPE-OP-all`: as many slots as there are, one after the
 *   other, into another;
 * - `divideF32`, `divideF64`: by a number, rounded to the type;
 * - `settleF32`, `settleF64`: every NaN to the one we write;
 * - `promote`: singles to doubles.
 */
export const foldKernels = defineKernels("reduce-fold", (m) => {
  for (const [name, combine] of Object.entries(foldSteps)) {
    addFold(m, name, [0], combine);
    const slots = Array.from({ length: slotsMax }, (_, slot) => slot * slotStrideBytes);
    addFold(m, `${name}-all`, slots, combine);
  }
  const at = { at: "i32", sizeBytes: "i32" } as const;
  const f32Nan = i32x4.const(0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000);
  const f64Nan = i32x4.const(0, 0x7ff80000, 0, 0x7ff80000);
  addInPlace(m, "settleF32", at, (x) => v128.bitselect(x, f32Nan, f32x4.eq(x, x)));
  addInPlace(m, "settleF64", at, (x) => v128.bitselect(x, f64Nan, f64x2.eq(x, x)));
  m.function("divideF32", { ...at, divisor: "f32" }, (f, p) => {
    const divisor = f.let(f32x4.splat(p.divisor));
    inPlace(f, p, (x) => f32x4.div(x, divisor));
  });
  m.function("divideF64", { ...at, divisor: "f64" }, (f, p) => {
    const divisor = f.let(f64x2.splat(p.divisor));
    inPlace(f, p, (x) => f64x2.div(x, divisor));
  });
  addPromote(m);
});

function addFold(m: ModuleBuilder, name: string, slots: readonly number[], combine: Combine): void {
  m.function(name, { into: "i32", from: "i32", sizeBytes: "i32" }, (f, p) => {
    const vectors = [0, 16, 32, 48].map((offset) => ({ offset, value: f.local("v128") }));
    const i = f.local("i32");
    f.countTo(i, { limit: p.sizeBytes, step: 64 }, () => {
      for (const { offset, value } of vectors) f.set(value, v128.load(p.into, offset));
      for (const slot of slots) {
        for (const { offset, value } of vectors) {
          f.set(value, combine(value, v128.load(p.from, slot + offset)));
        }
      }
      for (const { offset, value } of vectors) f.store(p.into, value, { offsetBytes: offset });
      f.increase(p.into, 64);
      f.increase(p.from, 64);
    });
  });
}

function addInPlace(
  m: ModuleBuilder,
  name: string,
  params: { readonly at: "i32"; readonly sizeBytes: "i32" },
  change: (x: V128) => V128,
): void {
  m.function(name, params, (f, p) => inPlace(f, p, change));
}

function inPlace(
  f: FunctionBuilder,
  p: { readonly at: Local<"i32">; readonly sizeBytes: Local<"i32"> },
  change: (x: V128) => V128,
): void {
  const x = f.local("v128");
  const i = f.local("i32");
  f.countTo(i, { limit: p.sizeBytes, step: 16 }, () => {
    f.set(x, v128.load(p.at));
    f.store(p.at, change(x));
    f.increase(p.at, 16);
  });
}

function addPromote(m: ModuleBuilder): void {
  m.function("promote", { from: "i32", to: "i32", count: "i32" }, (f, p) => {
    const value = f.local("v128");
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      f.set(value, v128.load(p.from));
      f.store(p.to, f64x2.promoteLowF32x4(value));
      const upper = i32x4.shuffle(value, value, [2, 3, 2, 3]);
      f.store(p.to, f64x2.promoteLowF32x4(upper), { offsetBytes: 16 });
      f.increase(p.from, 16);
      f.increase(p.to, 32);
    });
  });
}
