import {
  f32x4,
  f64x2,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64x2,
  type V128,
  v128,
} from "../../../../../../src/runtime/tensor/kernels/index.ts";
import type { Lane } from "./lanes.ts";

type Num = number & bigint;

/** One operation lane by lane: what it reads, what it writes, and what it should give. */
export interface LaneOperation {
  readonly build: (one: V128, other: V128) => V128;
  readonly from: Lane;
  readonly to: Lane;
  readonly expected: (one: never, other: never) => number | bigint;
}

const mask32 = (is: boolean) => (is ? -1 : 0);
const mask64 = (is: boolean) => (is ? -1n : 0n);

/** Orders as min and max see them: NaN wins, and -0 is below +0. */
const lesser = (a: number, b: number) => Math.min(a, b);
const greater = (a: number, b: number) => Math.max(a, b);

type Rows = Record<
  string,
  readonly [LaneOperation["build"], LaneOperation["expected"], Lane?, Lane?]
>;

function rowsOf(
  prefix: string,
  lanes: readonly [Lane, Lane],
  rows: Rows,
): [string, LaneOperation][] {
  return Object.entries(rows).map(([name, [build, expected, from, to]]) => [
    `${prefix}.${name}`,
    { build, expected, from: from ?? lanes[0], to: to ?? lanes[1] },
  ]);
}

const integers = [
  ...rowsOf("i32x4", ["i32", "i32"], {
    eq: [i32x4.eq, (a: Num, b: Num) => mask32(a === b)],
    ne: [i32x4.ne, (a: Num, b: Num) => mask32(a !== b)],
    ltS: [i32x4.ltS, (a: Num, b: Num) => mask32(a < b)],
    ltU: [i32x4.ltU, (a: Num, b: Num) => mask32(a < b), "u32"],
    gtS: [i32x4.gtS, (a: Num, b: Num) => mask32(a > b)],
    gtU: [i32x4.gtU, (a: Num, b: Num) => mask32(a > b), "u32"],
    leS: [i32x4.leS, (a: Num, b: Num) => mask32(a <= b)],
    leU: [i32x4.leU, (a: Num, b: Num) => mask32(a <= b), "u32"],
    geS: [i32x4.geS, (a: Num, b: Num) => mask32(a >= b)],
    geU: [i32x4.geU, (a: Num, b: Num) => mask32(a >= b), "u32"],
    abs: [(a) => i32x4.abs(a), (a: number) => Math.abs(a) | 0],
    neg: [(a) => i32x4.neg(a), (a: number) => -a | 0],
    shl: [(a) => i32x4.shl(a, i32.const(3)), (a: number) => a << 3],
    shrS: [(a) => i32x4.shrS(a, i32.const(3)), (a: number) => a >> 3],
    shrU: [(a) => i32x4.shrU(a, i32.const(3)), (a: number) => (a >>> 3) | 0],
    add: [i32x4.add, (a: number, b: number) => (a + b) | 0],
    sub: [i32x4.sub, (a: number, b: number) => (a - b) | 0],
    mul: [i32x4.mul, (a: number, b: number) => Math.imul(a, b)],
    minS: [i32x4.minS, (a: number, b: number) => Math.min(a, b)],
    minU: [i32x4.minU, (a: number, b: number) => Math.min(a, b) | 0, "u32"],
    maxS: [i32x4.maxS, (a: number, b: number) => Math.max(a, b)],
    maxU: [i32x4.maxU, (a: number, b: number) => Math.max(a, b) | 0, "u32"],
    truncSatF32x4S: [(a) => i32x4.truncSatF32x4S(a), (a: number) => saturate(a, -(2 ** 31)), "f32"],
    truncSatF32x4U: [(a) => i32x4.truncSatF32x4U(a), (a: number) => saturate(a, 0), "f32", "u32"],
  }),
  ...rowsOf("i64x2", ["i64", "i64"], {
    eq: [i64x2.eq, (a: Num, b: Num) => mask64(a === b)],
    ne: [i64x2.ne, (a: Num, b: Num) => mask64(a !== b)],
    ltS: [i64x2.ltS, (a: Num, b: Num) => mask64(a < b)],
    gtS: [i64x2.gtS, (a: Num, b: Num) => mask64(a > b)],
    leS: [i64x2.leS, (a: Num, b: Num) => mask64(a <= b)],
    geS: [i64x2.geS, (a: Num, b: Num) => mask64(a >= b)],
    abs: [(a) => i64x2.abs(a), (a: bigint) => BigInt.asIntN(64, a < 0n ? -a : a)],
    neg: [(a) => i64x2.neg(a), (a: bigint) => BigInt.asIntN(64, -a)],
    shl: [(a) => i64x2.shl(a, i32.const(9)), (a: bigint) => BigInt.asIntN(64, a << 9n)],
    shrS: [(a) => i64x2.shrS(a, i32.const(9)), (a: bigint) => a >> 9n],
    shrU: [(a) => i64x2.shrU(a, i32.const(9)), (a: bigint) => a >> 9n, "u64", "u64"],
    add: [i64x2.add, (a: bigint, b: bigint) => BigInt.asIntN(64, a + b)],
    sub: [i64x2.sub, (a: bigint, b: bigint) => BigInt.asIntN(64, a - b)],
    mul: [i64x2.mul, (a: bigint, b: bigint) => BigInt.asIntN(64, a * b)],
  }),
  ...rowsOf("i16x8", ["u16", "u16"], {
    eq: [i16x8.eq, (a: Num, b: Num) => (a === b ? 65_535 : 0)],
    shl: [(a) => i16x8.shl(a, i32.const(3)), (a: number) => (a << 3) & 65_535],
    shrS: [(a) => i16x8.shrS(a, i32.const(3)), (a: number) => a >> 3, "i16", "i16"],
    shrU: [(a) => i16x8.shrU(a, i32.const(3)), (a: number) => a >>> 3],
    add: [i16x8.add, (a: number, b: number) => (a + b) & 65_535],
    sub: [i16x8.sub, (a: number, b: number) => (a - b) & 65_535],
  }),
  ...rowsOf("i8x16", ["u8", "u8"], {
    eq: [i8x16.eq, (a: Num, b: Num) => (a === b ? 255 : 0)],
    add: [i8x16.add, (a: number, b: number) => (a + b) & 255],
  }),
  ...rowsOf("v128", ["u32", "i32"], {
    not: [(a) => v128.not(a), (a: number) => ~a],
    and: [v128.and, (a: number, b: number) => a & b],
    andnot: [v128.andnot, (a: number, b: number) => a & ~b],
    or: [v128.or, (a: number, b: number) => a | b],
    xor: [v128.xor, (a: number, b: number) => a ^ b],
  }),
];

const singles = rowsOf("f32x4", ["f32", "f32"], {
  eq: [f32x4.eq, (a: Num, b: Num) => mask32(a === b), "f32", "i32"],
  ne: [f32x4.ne, (a: Num, b: Num) => mask32(a !== b), "f32", "i32"],
  lt: [f32x4.lt, (a: Num, b: Num) => mask32(a < b), "f32", "i32"],
  gt: [f32x4.gt, (a: Num, b: Num) => mask32(a > b), "f32", "i32"],
  le: [f32x4.le, (a: Num, b: Num) => mask32(a <= b), "f32", "i32"],
  ge: [f32x4.ge, (a: Num, b: Num) => mask32(a >= b), "f32", "i32"],
  abs: [(a) => f32x4.abs(a), (a: number) => Math.abs(a)],
  neg: [(a) => f32x4.neg(a), (a: number) => -a],
  sqrt: [(a) => f32x4.sqrt(a), (a: number) => Math.fround(Math.sqrt(a))],
  add: [f32x4.add, (a: number, b: number) => Math.fround(a + b)],
  sub: [f32x4.sub, (a: number, b: number) => Math.fround(a - b)],
  mul: [f32x4.mul, (a: number, b: number) => Math.fround(a * b)],
  div: [f32x4.div, (a: number, b: number) => Math.fround(a / b)],
  min: [f32x4.min, lesser],
  max: [f32x4.max, greater],
  pmin: [f32x4.pmin, (a: number, b: number) => (b < a ? b : a)],
  pmax: [f32x4.pmax, (a: number, b: number) => (a < b ? b : a)],
  convertI32x4S: [(a) => f32x4.convertI32x4S(a), (a: number) => Math.fround(a), "i32"],
  convertI32x4U: [(a) => f32x4.convertI32x4U(a), (a: number) => Math.fround(a), "u32"],
});

const doubles = rowsOf("f64x2", ["f64", "f64"], {
  eq: [f64x2.eq, (a: Num, b: Num) => mask64(a === b), "f64", "i64"],
  ne: [f64x2.ne, (a: Num, b: Num) => mask64(a !== b), "f64", "i64"],
  lt: [f64x2.lt, (a: Num, b: Num) => mask64(a < b), "f64", "i64"],
  gt: [f64x2.gt, (a: Num, b: Num) => mask64(a > b), "f64", "i64"],
  le: [f64x2.le, (a: Num, b: Num) => mask64(a <= b), "f64", "i64"],
  ge: [f64x2.ge, (a: Num, b: Num) => mask64(a >= b), "f64", "i64"],
  floor: [(a) => f64x2.floor(a), (a: number) => Math.floor(a)],
  trunc: [(a) => f64x2.trunc(a), (a: number) => Math.trunc(a)],
  nearest: [(a) => f64x2.nearest(a), roundToEven],
  abs: [(a) => f64x2.abs(a), (a: number) => Math.abs(a)],
  neg: [(a) => f64x2.neg(a), (a: number) => -a],
  sqrt: [(a) => f64x2.sqrt(a), (a: number) => Math.sqrt(a)],
  add: [f64x2.add, (a: number, b: number) => a + b],
  sub: [f64x2.sub, (a: number, b: number) => a - b],
  mul: [f64x2.mul, (a: number, b: number) => a * b],
  div: [f64x2.div, (a: number, b: number) => a / b],
  min: [f64x2.min, lesser],
  max: [f64x2.max, greater],
  pmin: [f64x2.pmin, (a: number, b: number) => (b < a ? b : a)],
  pmax: [f64x2.pmax, (a: number, b: number) => (a < b ? b : a)],
});

/** Every operation that treats lanes alike, by namespace and name. */
export const laneOperations = new Map<string, LaneOperation>([...integers, ...singles, ...doubles]);

function saturate(value: number, lowest: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.min(Math.max(Math.trunc(value), lowest), lowest + 2 ** 32 - 1) + 0;
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  if (Number.isNaN(rest) || rest === 0) return value;
  const up = rest > 0.5 || (rest === 0.5 && down % 2 !== 0);
  const rounded = up ? down + 1 : down;
  return rounded === 0 && value < 0 ? -0 : rounded;
}
