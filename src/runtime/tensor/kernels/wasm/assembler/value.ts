import { type Bytes, unsigned } from "./bytes.ts";

/** What a WebAssembly value can be. `v128` is a SIMD register; its lanes are in the operation. */
export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

/**
 * An expression: the code that leaves one value on the stack. It is a piece of code and no result,
 * so using it twice computes it twice; `FunctionBuilder.let` keeps a result.
 */
export interface Value<T extends ValueType = ValueType> {
  readonly type: T;
  readonly code: Bytes;
}

export type I32 = Value<"i32">;
export type I64 = Value<"i64">;
export type F32 = Value<"f32">;
export type F64 = Value<"f64">;
export type V128 = Value<"v128">;

export const typeBytes: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** An operation of no operands, such as a constant. */
export function nullary<T extends ValueType>(type: T, code: Bytes): Value<T> {
  return { type, code };
}

export function unary<A extends ValueType, R extends ValueType>(opcode: Bytes, _from: A, type: R) {
  return (value: Value<A>): Value<R> => ({ type, code: [...value.code, ...opcode] });
}

export function binary<A extends ValueType, B extends ValueType, R extends ValueType>(
  opcode: Bytes,
  _from: readonly [A, B],
  type: R,
) {
  return (left: Value<A>, right: Value<B>): Value<R> => ({
    type,
    code: [...left.code, ...right.code, ...opcode],
  });
}

/** A load from memory: the address as a value, plus `offsetBytes` that costs nothing. */
export function loadOf<R extends ValueType>(opcode: Bytes, type: R) {
  return (address: I32, offsetBytes = 0): Value<R> => ({
    type,
    code: [...address.code, ...opcode, ...memoryOperand(offsetBytes)],
  });
}

/** The alignment is a mere hint and says "any"; the offset is added to the address. */
export function memoryOperand(offsetBytes: number): Bytes {
  return [0, ...unsigned(offsetBytes)];
}
