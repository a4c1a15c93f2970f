import { describe, expect, it } from "vitest";
import {
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  i64x2,
  type V128,
  type Value,
  v128,
} from "../../../../../../src/runtime/tensor/kernels/index.ts";
import { instantiate } from "../../run-kernel.ts";
import { type Lane, readLanes, samples, writeLanes } from "./lanes.ts";
import { laneOperations } from "./simd-operations.ts";

const namespaces = { v128, i8x16, i16x8, i32x4, i64x2, f32x4, f64x2 };

describe("operations on lanes", () => {
  it.each([...laneOperations])("%s gives what each lane should", (_, operation) => {
    const { from, to, expected } = operation;
    const run = operationOn(operation.build);
    const values = samples[from];
    for (const shift of values.keys()) {
      const one = values.map((_, index) => at(values, index));
      const other = values.map((_, index) => at(values, index + shift));
      for (let first = 0; first < values.length; first += 2) {
        const lanes = { one: cycle(one, first), other: cycle(other, first) };
        const { read, result } = run({ from, to, ...lanes });
        const want = read.one.map((value, lane) => {
          return expected(value as never, read.other[lane] as never);
        });
        expect(result).toEqual(want.slice(0, result.length));
      }
    }
  });

  const structural = /^(const|splat|extract|replace|shuffle|swizzle|load.*)$/;
  const alone =
    /^(bitselect|anyTrue|allTrue|bitmask|narrow.*|extend.*|extmul.*|promote.*|demote.*)$/;
  const halves = /^(truncSatF64x2.*|convertLow.*)$/;

  it("are all in the table above or have a test below", () => {
    const names = Object.entries(namespaces).flatMap(([space, members]) =>
      Object.keys(members).map((name) => [space, name] as const),
    );
    const missing = names
      .filter(([, name]) => ![structural, alone, halves].some((pattern) => pattern.test(name)))
      .filter(([space, name]) => !laneOperations.has(`${space}.${name}`));
    expect(missing).toEqual([]);
  });
});

describe("operations between lanes of different width", () => {
  const one = [5, -6, 2 ** 31 - 1, -(2 ** 31)];
  const other = [-7, 9, 3, 2];
  const big = (values: readonly number[]) => values.map(BigInt);
  const unsigned = (value: number) => BigInt(value >>> 0);
  const at4 = (values: readonly number[], index: number) => values[index] ?? 0;

  it.each<[string, (a: V128, b: V128) => V128, readonly bigint[]]>([
    ["extmulLowI32x4S", i64x2.extmulLowI32x4S, big([-35, -54])],
    ["extmulHighI32x4S", i64x2.extmulHighI32x4S, [(2n ** 31n - 1n) * 3n, -(2n ** 32n)]],
    ["extmulLowI32x4U", i64x2.extmulLowI32x4U, [5n * unsigned(-7), unsigned(-6) * 9n]],
    ["extmulHighI32x4U", i64x2.extmulHighI32x4U, [(2n ** 31n - 1n) * 3n, 2n ** 32n]],
    ["extendLowI32x4S", (a) => i64x2.extendLowI32x4S(a), big([5, -6])],
    ["extendHighI32x4S", (a) => i64x2.extendHighI32x4S(a), [2n ** 31n - 1n, -(2n ** 31n)]],
    ["extendLowI32x4U", (a) => i64x2.extendLowI32x4U(a), [5n, unsigned(-6)]],
    ["extendHighI32x4U", (a) => i64x2.extendHighI32x4U(a), [2n ** 31n - 1n, 2n ** 31n]],
  ])("i64x2.%s", (_, build, want) => {
    const run = operationOn(build);
    expect(run({ from: "i32", to: "i64", one, other }).result).toEqual(want.map(asSigned));
  });

  it("i32x4 extends and i16x8 narrows", () => {
    const small = [1, -2, 3, -4, 5, -6, 7, -8];
    const extended = (build: (a: V128) => V128) =>
      operationOn(build)({ from: "i16", to: "i32", one: small, other: small }).result;
    expect(extended(i32x4.extendLowI16x8S)).toEqual([1, -2, 3, -4]);
    expect(extended(i32x4.extendHighI16x8S)).toEqual([5, -6, 7, -8]);
    expect(extended(i32x4.extendLowI16x8U)).toEqual([1, 65_534, 3, 65_532]);
    expect(extended(i32x4.extendHighI16x8U)).toEqual([5, 65_530, 7, 65_528]);
    const narrowed = (build: (a: V128, b: V128) => V128, to: Lane) =>
      operationOn(build)({ from: "i32", to, one: [1, -2, 70_000, -70_000], other }).result;
    expect(narrowed(i16x8.narrowI32x4S, "i16")).toEqual([1, -2, 32_767, -32_768, -7, 9, 3, 2]);
    expect(narrowed(i16x8.narrowI32x4U, "u16")).toEqual([1, 0, 65_535, 0, 0, 9, 3, 2]);
  });

  it("floats widen, narrow and become whole", () => {
    const run = (build: (a: V128) => V128, lanes: readonly [Lane, Lane], values: number[]) =>
      operationOn(build)({ from: lanes[0], to: lanes[1], one: values, other: values }).result;
    expect(run(f64x2.promoteLowF32x4, ["f32", "f64"], [0.5, -3, 9, 9])).toEqual([0.5, -3]);
    const third = Math.fround(1 / 3);
    expect(run(f32x4.demoteF64x2Zero, ["f64", "f32"], [1 / 3, -2])).toEqual([third, -2, 0, 0]);
    expect(run(i32x4.truncSatF64x2SZero, ["f64", "i32"], [-1.9, 1e10])).toEqual([
      -1,
      2 ** 31 - 1,
      0,
      0,
    ]);
    expect(run(i32x4.truncSatF64x2UZero, ["f64", "u32"], [-1.9, 1e10])).toEqual([
      0,
      2 ** 32 - 1,
      0,
      0,
    ]);
    expect(run(f64x2.convertLowI32x4S, ["i32", "f64"], one)).toEqual(one.slice(0, 2));
    const positive = at4(one, 1) + 2 ** 32;
    expect(run(f64x2.convertLowI32x4U, ["i32", "f64"], one)).toEqual([5, positive]);
  });
});

describe("operations that move or test lanes", () => {
  const bytes = Array.from({ length: 16 }, (_, index) => index + 1);
  const u8 = (build: (a: V128, b: V128) => V128, other: number[]) =>
    operationOn(build)({ from: "u8", to: "u8", one: bytes, other }).result;

  it("shuffle, swizzle and select", () => {
    const other = bytes.map((byte) => byte + 100);
    expect(u8((a, b) => i64x2.shuffle(a, b, [1, 2]), other)).toEqual([
      ...bytes.slice(8),
      ...other.slice(0, 8),
    ]);
    expect(u8((a, b) => i32x4.shuffle(a, b, [0, 4, 1, 7]), other).slice(4, 9)).toEqual([
      101, 102, 103, 104, 5,
    ]);
    const reversed = bytes.toReversed();
    expect(
      u8(
        (a, b) =>
          i8x16.shuffle(
            a,
            b,
            reversed.map((byte) => byte - 1),
          ),
        other,
      ),
    ).toEqual(reversed);
    expect(u8(i8x16.swizzle, [15, 0, 200, 1]).slice(0, 4)).toEqual([16, 1, 0, 2]);
    const mask = i32x4.const(-1, 0, 0x0f, 0);
    const chosen = u8((a, b) => v128.bitselect(a, b, mask), other);
    expect(chosen.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(chosen.slice(4, 9)).toEqual([105, 106, 107, 108, (109 & 0xf0) | (9 & 0x0f)]);
  });

  it("refuse lanes there are not", () => {
    expect(() => i32x4.extract(i32x4.splat(i32.const(1)), 4)).toThrow("lane 4 of 4");
    const one = i32x4.splat(i32.const(1));
    expect(() => i32x4.shuffle(one, one, [0, 1, 2, 8])).toThrow("lane 8 of 8");
    expect(() => i8x16.shuffle(one, one, [0, 1, 2])).toThrow("2, 4, 8 or 16");
  });

  it("answer with a number", () => {
    const tests: readonly (readonly [Value<"i32">, number])[] = [
      [v128.anyTrue(i32x4.const(0, 0, 4, 0)), 1],
      [v128.anyTrue(i32x4.const(0, 0, 0, 0)), 0],
      [i32x4.allTrue(i32x4.const(1, 2, 3, 4)), 1],
      [i32x4.allTrue(i32x4.const(1, 0, 3, 4)), 0],
      [i32x4.bitmask(i32x4.const(-1, 0, -5, 7)), 0b101],
      [i64x2.allTrue(i64x2.const(1n, 2n ** 40n)), 1],
      [i64x2.bitmask(i64x2.const(-1n, 1n)), 1],
      [i8x16.bitmask(i8x16.splat(i32.const(128))), 65_535],
      [i32x4.extract(i32x4.replace(i32x4.splat(i32.const(3)), 2, i32.const(8)), 2), 8],
      [
        i32.wrapI64(i64x2.extract(i64x2.replace(i64x2.splat(i64.const(3n)), 1, i64.const(9n)), 1)),
        9,
      ],
      [
        i32.truncSatF64S(
          f64x2.extract(f64x2.replace(f64x2.splat(f64.const(3)), 1, f64.const(6)), 1),
        ),
        6,
      ],
      [
        i32.truncSatF64S(
          f64.promoteF32(
            f32x4.extract(f32x4.replace(f32x4.splat(f32.const(3)), 3, f32.const(-5)), 3),
          ),
        ),
        -5,
      ],
      [i32x4.extract(i16x8.splat(i32.const(1)), 0), 0x10001],
      [i32x4.extract(f32x4.const(0, 1, 2, 3), 1), 0x3f800000],
      [i32x4.extract(f64x2.const(0, 1), 3), 0x3ff00000],
    ];
    const { call } = instantiate((m) => {
      for (const [index, [value]] of tests.entries()) {
        m.functionOf("i32", { name: `test${index}`, params: {} }, () => value);
      }
    });
    expect(tests.map((_, index) => call(`test${index}`))).toEqual(tests.map(([, want]) => want));
  });

  it("load parts of a vector", () => {
    const address = i32.const(0);
    const loads: readonly (readonly [V128, Lane, readonly (number | bigint)[]])[] = [
      [v128.load(address, 1), "u8", [...bytes.slice(1), 0]],
      [v128.load16x4S(address), "i32", [0x0201, 0x0403, 0x0605, 0x0807]],
      [v128.load16x4U(address), "i32", [0x0201, 0x0403, 0x0605, 0x0807]],
      [v128.load32x2S(address), "i64", [0x04030201n, 0x08070605n]],
      [v128.load32x2U(address), "i64", [0x04030201n, 0x08070605n]],
      [v128.load32Splat(address, 4), "i32", [1, 1, 1, 1].map((one) => one * 0x08070605)],
      [v128.load64Splat(address), "i64", [0x0807060504030201n, 0x0807060504030201n]],
      [v128.load32Zero(address), "i32", [0x04030201, 0, 0, 0]],
      [v128.load64Zero(address), "i64", [0x0807060504030201n, 0n]],
      [v128.load32Lane(address, i32x4.splat(i32.const(9)), 2), "i32", [9, 9, 0x04030201, 9]],
    ];
    for (const [load, lane, want] of loads) {
      const zeros = bytes.map(() => 0);
      const { result } = operationOn(() => load)({
        from: "u8",
        to: lane,
        one: bytes,
        other: zeros,
      });
      expect(result).toEqual(want);
    }
  });
});

interface Lanes {
  readonly from: Lane;
  readonly to: Lane;
  readonly one: readonly (number | bigint)[];
  readonly other: readonly (number | bigint)[];
}

/** Runs an operation on the vectors at 0 and 16; `read` is what the lanes really held. */
function operationOn(build: (one: V128, other: V128) => V128) {
  const { call, memory } = instantiate((m) => {
    m.function("go", {}, (f) => {
      const load = (address: number) => v128.load(i32.const(address));
      f.store(i32.const(32), build(load(0), load(16)));
    });
  });
  return ({ from, to, one, other }: Lanes) => {
    writeLanes(memory, { lane: from, address: 0, values: one });
    writeLanes(memory, { lane: from, address: 16, values: other });
    const read = { one: readLanes(memory, from, 0), other: readLanes(memory, from, 16) };
    call("go");
    return { read, result: readLanes(memory, to, 32) };
  };
}

function at<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T;
}

function cycle<T>(values: readonly T[], first: number): T[] {
  return Array.from({ length: 16 }, (_, index) => at(values, first + index));
}

function asSigned(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}
