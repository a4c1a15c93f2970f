import assert from "node:assert/strict";
import { type Bytes, bytesOf, unsigned } from "./bytes.ts";
import {
  binary,
  type I32,
  loadOf,
  memoryOperand,
  nullary,
  unary,
  type V128,
  type Value,
  type ValueType,
} from "./value.ts";

const opcodeOf = (number: number): Bytes => [0xfd, ...unsigned(number)];

const vLoad = (number: number) => loadOf(opcodeOf(number), "v128");
const vUnary = (number: number) => unary(opcodeOf(number), "v128", "v128");
const vBinary = (number: number) => binary(opcodeOf(number), ["v128", "v128"], "v128");
const vShift = (number: number) => binary(opcodeOf(number), ["v128", "i32"], "v128");
const vTest = (number: number) => unary(opcodeOf(number), "v128", "i32");
const splatOf = <T extends ValueType>(number: number, from: T) =>
  unary(opcodeOf(number), from, "v128");

function extractOf<T extends ValueType>(number: number, o: { type: T; lanes: number }) {
  return (vector: V128, lane: number): Value<T> => {
    assertLane(lane, o.lanes);
    return { type: o.type, code: [...vector.code, ...opcodeOf(number), lane] };
  };
}

function replaceOf<T extends ValueType>(number: number, o: { type: T; lanes: number }) {
  return (vector: V128, lane: number, value: Value<T>): V128 => {
    assertLane(lane, o.lanes);
    return {
      type: "v128",
      code: [...vector.code, ...value.code, ...opcodeOf(number), lane],
    };
  };
}

function assertLane(lane: number, lanes: number): void {
  assert(Number.isInteger(lane) && lane >= 0 && lane < lanes, `lane ${lane} of ${lanes}`);
}

function constantOf(values: ArrayBufferView): V128 {
  assert(values.byteLength === 16, "a v128 constant has 16 bytes");
  return nullary("v128", [...opcodeOf(0x0c), ...bytesOf(values)]);
}

/** Picks lanes of `left` (numbered from 0) and `right` (numbered on from there). */
function shuffle(left: V128, right: V128, lanes: readonly number[]): V128 {
  const bytes = 16 / lanes.length;
  assert(Number.isInteger(bytes), "a shuffle names 2, 4, 8 or 16 lanes");
  for (const lane of lanes) assertLane(lane, 2 * lanes.length);
  const picked = lanes.flatMap((lane) =>
    Array.from({ length: bytes }, (_, byte) => lane * bytes + byte),
  );
  return { type: "v128", code: [...left.code, ...right.code, ...opcodeOf(0x0d), ...picked] };
}

/** All 128 bits at once. */
export const v128 = {
  load: vLoad(0x00),
  load16x4S: vLoad(0x03),
  load16x4U: vLoad(0x04),
  load32x2S: vLoad(0x05),
  load32x2U: vLoad(0x06),
  load32Splat: vLoad(0x09),
  load64Splat: vLoad(0x0a),
  load32Zero: vLoad(0x5c),
  load64Zero: vLoad(0x5d),
  load32Lane: (address: I32, vector: V128, lane: number, offsetBytes = 0): V128 => {
    assertLane(lane, 4);
    const code = [
      ...address.code,
      ...vector.code,
      ...opcodeOf(0x56),
      ...memoryOperand(offsetBytes),
    ];
    return { type: "v128", code: [...code, lane] };
  },
  not: vUnary(0x4d),
  and: vBinary(0x4e),
  /** `left & ~right`. */
  andnot: vBinary(0x4f),
  or: vBinary(0x50),
  xor: vBinary(0x51),
  /** Bits of `whenSet` where the mask has ones, of `whenClear` elsewhere. */
  bitselect: (whenSet: V128, whenClear: V128, mask: V128): V128 => ({
    type: "v128",
    code: [...whenSet.code, ...whenClear.code, ...mask.code, ...opcodeOf(0x52)],
  }),
  anyTrue: vTest(0x53),
};

export const i8x16 = {
  splat: splatOf(0x0f, "i32"),
  shuffle,
  swizzle: vBinary(0x0e),
  eq: vBinary(0x23),
  bitmask: vTest(0x64),
  add: vBinary(0x6e),
};

export const i16x8 = {
  splat: splatOf(0x10, "i32"),
  eq: vBinary(0x2d),
  narrowI32x4S: vBinary(0x85),
  narrowI32x4U: vBinary(0x86),
  shl: vShift(0x8b),
  shrS: vShift(0x8c),
  shrU: vShift(0x8d),
  add: vBinary(0x8e),
  sub: vBinary(0x91),
};

export const i32x4 = {
  const: (a: number, b: number, c: number, d: number): V128 =>
    constantOf(Int32Array.of(a, b, c, d)),
  splat: splatOf(0x11, "i32"),
  extract: extractOf(0x1b, { type: "i32", lanes: 4 }),
  replace: replaceOf(0x1c, { type: "i32", lanes: 4 }),
  shuffle,
  eq: vBinary(0x37),
  ne: vBinary(0x38),
  ltS: vBinary(0x39),
  ltU: vBinary(0x3a),
  gtS: vBinary(0x3b),
  gtU: vBinary(0x3c),
  leS: vBinary(0x3d),
  leU: vBinary(0x3e),
  geS: vBinary(0x3f),
  geU: vBinary(0x40),
  abs: vUnary(0xa0),
  neg: vUnary(0xa1),
  allTrue: vTest(0xa3),
  bitmask: vTest(0xa4),
  extendLowI16x8S: vUnary(0xa7),
  extendHighI16x8S: vUnary(0xa8),
  extendLowI16x8U: vUnary(0xa9),
  extendHighI16x8U: vUnary(0xaa),
  shl: vShift(0xab),
  shrS: vShift(0xac),
  shrU: vShift(0xad),
  add: vBinary(0xae),
  sub: vBinary(0xb1),
  mul: vBinary(0xb5),
  minS: vBinary(0xb6),
  minU: vBinary(0xb7),
  maxS: vBinary(0xb8),
  maxU: vBinary(0xb9),
  truncSatF32x4S: vUnary(0xf8),
  truncSatF32x4U: vUnary(0xf9),
  truncSatF64x2SZero: vUnary(0xfc),
  truncSatF64x2UZero: vUnary(0xfd),
};

export const i64x2 = {
  const: (a: bigint, b: bigint): V128 => constantOf(BigInt64Array.of(a, b)),
  splat: splatOf(0x12, "i64"),
  extract: extractOf(0x1d, { type: "i64", lanes: 2 }),
  replace: replaceOf(0x1e, { type: "i64", lanes: 2 }),
  shuffle,
  abs: vUnary(0xc0),
  neg: vUnary(0xc1),
  allTrue: vTest(0xc3),
  bitmask: vTest(0xc4),
  extendLowI32x4S: vUnary(0xc7),
  extendHighI32x4S: vUnary(0xc8),
  extendLowI32x4U: vUnary(0xc9),
  extendHighI32x4U: vUnary(0xca),
  shl: vShift(0xcb),
  shrS: vShift(0xcc),
  shrU: vShift(0xcd),
  add: vBinary(0xce),
  sub: vBinary(0xd1),
  mul: vBinary(0xd5),
  eq: vBinary(0xd6),
  ne: vBinary(0xd7),
  ltS: vBinary(0xd8),
  gtS: vBinary(0xd9),
  leS: vBinary(0xda),
  geS: vBinary(0xdb),
  extmulLowI32x4S: vBinary(0xdc),
  extmulHighI32x4S: vBinary(0xdd),
  extmulLowI32x4U: vBinary(0xde),
  extmulHighI32x4U: vBinary(0xdf),
};

/** Four singles; every operation rounds to f32, and there is no fused one. */
export const f32x4 = {
  const: (a: number, b: number, c: number, d: number): V128 =>
    constantOf(Float32Array.of(a, b, c, d)),
  splat: splatOf(0x13, "f32"),
  extract: extractOf(0x1f, { type: "f32", lanes: 4 }),
  replace: replaceOf(0x20, { type: "f32", lanes: 4 }),
  eq: vBinary(0x41),
  ne: vBinary(0x42),
  lt: vBinary(0x43),
  gt: vBinary(0x44),
  le: vBinary(0x45),
  ge: vBinary(0x46),
  demoteF64x2Zero: vUnary(0x5e),
  abs: vUnary(0xe0),
  neg: vUnary(0xe1),
  sqrt: vUnary(0xe3),
  add: vBinary(0xe4),
  sub: vBinary(0xe5),
  mul: vBinary(0xe6),
  div: vBinary(0xe7),
  min: vBinary(0xe8),
  max: vBinary(0xe9),
  pmin: vBinary(0xea),
  pmax: vBinary(0xeb),
  convertI32x4S: vUnary(0xfa),
  convertI32x4U: vUnary(0xfb),
};

/** Two doubles. */
export const f64x2 = {
  const: (a: number, b: number): V128 => constantOf(Float64Array.of(a, b)),
  splat: splatOf(0x14, "f64"),
  extract: extractOf(0x21, { type: "f64", lanes: 2 }),
  replace: replaceOf(0x22, { type: "f64", lanes: 2 }),
  eq: vBinary(0x47),
  ne: vBinary(0x48),
  lt: vBinary(0x49),
  gt: vBinary(0x4a),
  le: vBinary(0x4b),
  ge: vBinary(0x4c),
  promoteLowF32x4: vUnary(0x5f),
  floor: vUnary(0x75),
  trunc: vUnary(0x7a),
  nearest: vUnary(0x94),
  abs: vUnary(0xec),
  neg: vUnary(0xed),
  sqrt: vUnary(0xef),
  add: vBinary(0xf0),
  sub: vBinary(0xf1),
  mul: vBinary(0xf2),
  div: vBinary(0xf3),
  min: vBinary(0xf4),
  max: vBinary(0xf5),
  pmin: vBinary(0xf6),
  pmax: vBinary(0xf7),
  convertLowI32x4S: vUnary(0xfe),
  convertLowI32x4U: vUnary(0xff),
};
