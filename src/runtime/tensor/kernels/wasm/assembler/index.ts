export {
  type FunctionBuilder,
  type FunctionHandle,
  type Label,
  type Local,
} from "./function-builder.ts";
export { ModuleBuilder } from "./module-builder.ts";
export { f32, f64, i32, i64 } from "./scalar.ts";
export { f32x4, f64x2, i8x16, i16x8, i32x4, i64x2, v128 } from "./simd.ts";
export type { F32, F64, I32, I64, V128, Value, ValueType } from "./value.ts";
