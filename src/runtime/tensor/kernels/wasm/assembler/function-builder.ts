import assert from "node:assert/strict";
import { type Bytes, unsigned, vector } from "./bytes.ts";
import { i32 } from "./scalar.ts";
import { type I32, memoryOperand, typeBytes, type Value, type ValueType } from "./value.ts";

/** A variable of one function; used as a value, it is read. */
export interface Local<T extends ValueType = ValueType> extends Value<T> {
  readonly index: number;
  readonly owner: FunctionBuilder;
}

/** Where `branch` can go: out of a block, or back to the start of a loop. */
export interface Label {
  readonly depth: number;
  readonly owner: FunctionBuilder;
}

/** A function that others of its module can call. */
export interface FunctionHandle<R extends ValueType | "none" = ValueType | "none"> {
  readonly name: string;
  readonly index: number;
  readonly params: readonly ValueType[];
  readonly result: R;
}

const opcodes = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  select: 0x1b,
  drop: 0x1a,
  localSet: 0x21,
  localTee: 0x22,
};
const noResult = 0x40;

/** Opcodes that store, by type and by how many bits are kept. */
const stores: Readonly<Record<ValueType, Readonly<Record<number, Bytes>>>> = {
  i32: { 8: [0x3a], 16: [0x3b], 32: [0x36] },
  i64: { 8: [0x3c], 16: [0x3d], 32: [0x3e], 64: [0x37] },
  f32: { 32: [0x38] },
  f64: { 64: [0x39] },
  v128: { 128: [0xfd, 0x0b] },
};
const fullBits: Readonly<Record<ValueType, number>> = {
  i32: 32,
  i64: 64,
  f32: 32,
  f64: 64,
  v128: 128,
};

/** Writes the body of one function, statement by statement. */
export class FunctionBuilder {
  readonly name: string;
  readonly #code: number[] = [];
  readonly #paramCount: number;
  readonly #locals: ValueType[] = [];
  #depth = 0;

  constructor(name: string, params: readonly ValueType[]) {
    this.name = name;
    this.#paramCount = params.length;
  }

  /** A new variable, 0 at first. */
  local<T extends ValueType>(type: T): Local<T> {
    this.#locals.push(type);
    return localAt(this, type, this.#paramCount + this.#locals.length - 1);
  }

  /** A new variable that holds this value from now on. */
  let<T extends ValueType>(value: Value<T>): Local<T> {
    const local = this.local(value.type);
    this.set(local, value);
    return local;
  }

  set<T extends ValueType>(local: Local<T>, value: Value<T>): void {
    this.#own(local);
    this.#emit(value.code, [opcodes.localSet], unsigned(local.index));
  }

  /** Sets a variable and is its new value. */
  tee<T extends ValueType>(local: Local<T>, value: Value<T>): Value<T> {
    this.#own(local);
    const code = [...value.code, opcodes.localTee, ...unsigned(local.index)];
    return { type: value.type, code };
  }

  /** `local = local + step`, the way loops go on. */
  increase(local: Local<"i32">, step: number | I32): void {
    this.set(local, i32.add(local, typeof step === "number" ? i32.const(step) : step));
  }

  /**
   * Stores a value. `bits` keeps only the low ones of an integer.
   *
   * @default bits: all of the value's type; offsetBytes: 0
   */
  store(address: I32, value: Value, o: { offsetBytes?: number; bits?: 8 | 16 | 32 } = {}): void {
    const opcode = stores[value.type][o.bits ?? fullBits[value.type]];
    assert(opcode !== undefined, `${this.name}: no store of ${o.bits} bits of ${value.type}`);
    this.#emit(address.code, value.code, opcode, memoryOperand(o.offsetBytes ?? 0));
  }

  /** Code that `exit` leaves at its end. */
  block(body: (exit: Label) => void): void {
    this.#nested([opcodes.block, noResult], body);
  }

  /** Code that `again` repeats; without such a branch it runs once. */
  loop(body: (again: Label) => void): void {
    this.#nested([opcodes.loop, noResult], body);
  }

  if(condition: I32, then: () => void, otherwise?: () => void): void {
    this.#emit(condition.code);
    this.#nested([opcodes.if, noResult], () => {
      then();
      if (otherwise === undefined) return;
      this.#emit([opcodes.else]);
      otherwise();
    });
  }

  /**
   * Repeats while `counter + (step - 1) < limit`, adding `step` after each turn: whole steps only,
   * and the counter stays where the rest begins. `limit` is computed once. @default step: 1
   */
  countTo(counter: Local<"i32">, o: { limit: I32; step?: number }, body: () => void): void {
    const { limit, step = 1 } = o;
    const whole = this.let(i32.sub(limit, i32.const(step - 1)));
    // Signed: the limit may be below step - 1.
    const more = i32.ltS(counter, whole);
    this.if(more, () => {
      this.loop((again) => {
        body();
        this.increase(counter, step);
        this.branchIf(again, more);
      });
    });
  }

  branch(label: Label): void {
    this.#emit([opcodes.branch], this.#distance(label));
  }

  branchIf(label: Label, condition: I32): void {
    this.#emit(condition.code, [opcodes.branchIf], this.#distance(label));
  }

  /** One of two values, both computed. */
  select<T extends "i32" | "i64" | "f32" | "f64">(
    condition: I32,
    whenTrue: Value<T>,
    whenFalse: Value<T>,
  ): Value<T> {
    const code = [...whenTrue.code, ...whenFalse.code, ...condition.code, opcodes.select];
    return { type: whenTrue.type, code };
  }

  /** The result of another function of this module. */
  call<R extends ValueType>(handle: FunctionHandle<R>, args: readonly Value[]): Value<R> {
    return { type: handle.result, code: this.#callOf(handle, args) };
  }

  /** Calls another function of this module for what it does. */
  do(handle: FunctionHandle, args: readonly Value[]): void {
    this.#emit(this.#callOf(handle, args), handle.result === "none" ? [] : [opcodes.drop]);
  }

  /** Copies `sizeBytes` within memory; the ranges may overlap. */
  copyMemory(o: { to: I32; from: I32; sizeBytes: I32 }): void {
    this.#emit(o.to.code, o.from.code, o.sizeBytes.code, [0xfc, 10, 0, 0]);
  }

  fillMemory(o: { to: I32; byte: I32; sizeBytes: I32 }): void {
    this.#emit(o.to.code, o.byte.code, o.sizeBytes.code, [0xfc, 11, 0]);
  }

  /** Leaves a function that has no result. */
  return(): void {
    this.#emit([opcodes.return]);
  }

  /** The finished body; `result` is what the function returns. */
  finish(result: Value | undefined): Bytes {
    assert(this.#depth === 0, `${this.name}: every block is closed`);
    const groups = this.#locals.map((type) => [1, typeBytes[type]]);
    const body = [...vector(groups), ...this.#code, ...(result?.code ?? []), opcodes.end];
    return [...unsigned(body.length), ...body];
  }

  #callOf(handle: FunctionHandle, args: readonly Value[]): Bytes {
    const given = args.map(({ type }) => type).join(", ");
    assert(
      given === handle.params.join(", "),
      `${this.name}: ${handle.name} takes (${handle.params.join(", ")}), not (${given})`,
    );
    return [...args.flatMap(({ code }) => code), opcodes.call, ...unsigned(handle.index)];
  }

  #nested(opening: Bytes, body: (label: Label) => void): void {
    this.#emit(opening);
    this.#depth++;
    body({ depth: this.#depth, owner: this });
    this.#depth--;
    this.#emit([opcodes.end]);
  }

  #distance(label: Label): Bytes {
    assert(label.owner === this, `${this.name}: a branch stays within its function`);
    assert(label.depth <= this.#depth, `${this.name}: a branch goes to a block it is inside of`);
    return unsigned(this.#depth - label.depth);
  }

  #own(local: Local): void {
    assert(local.owner === this, `${this.name}: a variable belongs to one function`);
  }

  #emit(...pieces: readonly Bytes[]): void {
    for (const piece of pieces) for (const byte of piece) this.#code.push(byte);
  }
}

/** The variable with a number: parameters first, then locals. */
export function localAt<T extends ValueType>(
  owner: FunctionBuilder,
  type: T,
  index: number,
): Local<T> {
  return { type, index, owner, code: [0x20, ...unsigned(index)] };
}
