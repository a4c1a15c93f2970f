import {
  type FunctionBuilder,
  f32x4,
  i32,
  type Local,
  type ModuleBuilder,
  type V128,
  v128,
} from "../wasm/assembler/index.ts";
import { defineKernels } from "../wasm/define-kernels.ts";
import { canonicalNan, withCanonicalNan } from "../wasm/emit-canonical-nan.ts";

/** Operations on two arrays, element by element. */
export type PairOperation = "add" | "sub" | "mul" | "div";

const pairOperations: Readonly<Record<PairOperation, (one: V128, other: V128) => V128>> = {
  add: f32x4.add,
  sub: f32x4.sub,
  mul: f32x4.mul,
  div: f32x4.div,
};

/**
 * Element by element over memory, four at a time; counts are rounded up to whole vectors by whoever
 * calls. Every NaN of a result is canonical.
 */
export const elementwiseKernels = defineKernels("elementwise", (m) => {
  for (const operation of ["add", "sub", "mul", "div"] as const) addPair(m, operation);
  m.function("scale", { a: "i32", out: "i32", sizeBytes: "i32", by: "f32" }, (f, p) => {
    const by = f.let(f32x4.splat(p.by));
    eachVector(f, p, (at) => f32x4.mul(v128.load(i32.add(p.a, at)), by));
  });
  m.function("relu", { a: "i32", out: "i32", sizeBytes: "i32" }, (f, p) => {
    const zero = f.let(f32x4.const(0, 0, 0, 0));
    // The operand order keeps NaN and turns -0 into +0.
    eachVector(f, p, (at) => {
      const x = f.let(v128.load(i32.add(p.a, at)));
      return v128.bitselect(zero, x, f32x4.le(x, zero));
    });
  });
});

function addPair(m: ModuleBuilder, operation: PairOperation): void {
  m.function(operation, { a: "i32", b: "i32", out: "i32", sizeBytes: "i32" }, (f, p) => {
    eachVector(f, p, (at) =>
      pairOperations[operation](v128.load(i32.add(p.a, at)), v128.load(i32.add(p.b, at))),
    );
  });
}

function eachVector(
  f: FunctionBuilder,
  p: { readonly out: Local<"i32">; readonly sizeBytes: Local<"i32"> },
  compute: (at: Local<"i32">) => V128,
): void {
  const nan = f.let(canonicalNan());
  const at = f.local("i32");
  const result = f.local("v128");
  f.countTo(at, { limit: p.sizeBytes, step: 16 }, () => {
    f.set(result, compute(at));
    f.store(i32.add(p.out, at), withCanonicalNan(result, nan));
  });
}
