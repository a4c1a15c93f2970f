/**
 * Kernels in WebAssembly SIMD, written with an assembler of our own, their twins in TypeScript with
 * the same bits, and the threads they run on.
 *
 * A kernel of one's own, and a job that runs it:
 *
 * ```ts
 * const doubling = defineKernels("doubling", (m) => {
 *   m.function("double", { from: "i32", to: "i32", count: "i32" }, (f, { from, to, count }) => {
 *     const i = f.local("i32");                                   // 0 at first
 *     f.countTo(i, { limit: count, step: 4 }, () => {             // whole steps of 4
 *       const at = f.let(i32.shl(i, i32.const(2)));               // keeps a value; without `let` it is code
 *       const x = f.let(v128.load(i32.add(from, at)));
 *       f.store(i32.add(to, at), f32x4.add(x, x));
 *     });
 *   });
 * });
 *
 * const data = new Float32Array(new SharedArrayBuffer(4 * 65_536)); // shared: threads can take part
 * runOnThreads([0, 1, 2, 3].map((part): Job => ({
 *   buffers: [data.buffer],
 *   modules: [doubling],
 *   memoryBytes: 8192,
 *   program: [{ kind: "repeat", count: 16, steps: [
 *     { kind: "copyIn", buffer: 0, start: { from: part * 65_536, by: [4096] }, address: 0, sizeBytes: 4096 },
 *     { kind: "call", module: "doubling", kernel: "double", args: [0, 4096, 1024] },
 *     { kind: "copyOut", buffer: 0, start: { from: part * 65_536, by: [4096] }, address: 4096, sizeBytes: 4096 },
 *   ] }],
 * })));
 * ```
 *
 * All modules of a thread share its memory; a job may use it as it likes from address 0 up to its
 * `memoryBytes`. Jobs of one call must not depend on each other.
 */
export {
  addF32,
  divF32,
  type ElementwiseOptions,
  mulF32,
  type PairOptions,
  reluF32,
  scaleF32,
  subF32,
} from "./elementwise/elementwise.ts";
export { defaultEngine, type KernelEngine } from "./engine.ts";
export { matmulF32 } from "./matmul/matmul.ts";
export type { MatmulOptions } from "./matmul/problem.ts";
export { type RandomF32Kind, randomF32, randomF32Scale } from "./philox/emit-floats.ts";
export { emitPhilox, type PhiloxEmitter, type SixteenWords } from "./philox/emit-philox.ts";
export { type FillRandomOptions, fillSymmetricF32, fillUniformF32 } from "./philox/fill-random.ts";
export {
  type CallStep,
  type CopyStep,
  type Job,
  jobMemoryMaxBytes,
  type Operand,
  type RepeatStep,
  type Step,
} from "./threads/job.ts";
export { runOnThreads } from "./threads/run-on-threads.ts";
export type { RunOptions } from "./threads/thread-pool.ts";
export {
  type F32,
  type F64,
  type FunctionBuilder,
  type FunctionHandle,
  f32,
  f32x4,
  f64,
  f64x2,
  type I32,
  type I64,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  i64x2,
  type Label,
  type Local,
  type ModuleBuilder,
  type V128,
  type Value,
  type ValueType,
  v128,
} from "./wasm/assembler/index.ts";
export { defineKernels, type KernelModule } from "./wasm/define-kernels.ts";
export { canonicalNan, withCanonicalNan } from "./wasm/emit-canonical-nan.ts";
