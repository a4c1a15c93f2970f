import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allocateRaw,
  bitsOf,
  type DType,
  type RawArray,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  type ChunkSource,
  type ReduceOp,
  reduceInto,
  reduceOrders,
} from "../../../../src/runtime/tensor/reduce/index.ts";
import { bitsIn, makeElements } from "./support/elements.ts";

const engines = ["typescript", "wasm"] as const;
// From here on the kernels take part.
const long = 5000;

function raws(...arrays: readonly RawArray[]): ChunkSource[] {
  return arrays.map((raw) => ({ kind: "raw", raw, start: 0 }));
}

function reduced(
  dtype: DType,
  op: ReduceOp,
  sources: readonly ChunkSource[],
  options = {},
): RawArray {
  const [first] = sources;
  const count = first?.kind === "raw" ? first.raw.length : 1;
  const out = allocateRaw(dtype, count);
  reduceInto({ dtype, op, count, sources, out, ...options });
  return out;
}

describe("sums of integers", () => {
  it("wrap around, as in NCCL", () => {
    const i32 = raws(Int32Array.of(2 ** 31 - 1, -(2 ** 31)), Int32Array.of(1, -1));
    expect([...reduced("i32", "sum", i32)]).toEqual([-(2 ** 31), 2 ** 31 - 1]);
    const u8 = raws(Uint8Array.of(200, 1), Uint8Array.of(100, 2));
    expect([...reduced("u8", "sum", u8)]).toEqual([44, 3]);
  });

  it("are averaged without wrapping, rounded to even", () => {
    const i32 = raws(Int32Array.of(2 ** 31 - 1, 1, 3, -1), Int32Array.of(2 ** 31 - 1, 2, 2, -2));
    expect([...reduced("i32", "avg", i32)]).toEqual([2 ** 31 - 1, 2, 2, -2]);
    expect([...reduced("u8", "avg", raws(Uint8Array.of(255), Uint8Array.of(254)))]).toEqual([254]);
  });

  it("agree with BigInt in every order and by both engines", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom(...reduceOrders),
        fc.constantFrom(...engines),
        (values, order, engine) => {
          const sources = raws(...values.map((value) => new Int32Array(9 * 4096).fill(value)));
          const all = values.map(BigInt);
          const wrapped = (value: bigint) => Number(BigInt.asIntN(32, value));
          const sum = reduced("i32", "sum", sources, { order, engine });
          const prod = reduced("i32", "prod", sources, { order, engine });
          expect(sum.at(-1)).toBe(wrapped(all.reduce((a, b) => a + b, 0n)));
          expect(prod.at(-1)).toBe(wrapped(all.reduce((a, b) => a * b, 1n)));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe.each(engines)("by %s", (engine) => {
  it("min and max give NaN to NaN and put -0 below +0", () => {
    const nan = new Float32Array(long).fill(Number.NaN);
    new Uint32Array(nan.buffer).fill(0xffc12345);
    const zero = new Float32Array(long);
    const minusZero = new Float32Array(long).fill(-0);
    for (const op of ["min", "max"] as const) {
      const result = reduced("f32", op, raws(zero, nan, minusZero), { engine });
      expect(bitsOf(result).every((bits) => bits === 0x7fc00000)).toBe(true);
    }
    const of = (op: ReduceOp) => reduced("f32", op, raws(zero, minusZero), { engine }).at(-1);
    expect(of("min")).toBe(-0);
    expect(of("max")).toBe(0);
  });

  it("bit operations work on the stored bits of any dtype", () => {
    for (const dtype of ["f64", "f32", "bf16", "e4m3", "i32", "u8"] as const) {
      const bits = dtype === "f64" || dtype === "f32" || dtype === "i32" ? 32 : 8;
      const make = (word: number) => {
        const raw = allocateRaw(dtype, long);
        bitsOf(raw).fill(word % 2 ** bits);
        return raw;
      };
      const [a, b, c] = [0xffc0_f012, 0x8f81_3456, 0x7fff_00ff];
      const expected = { band: a & b & c, bor: a | b | c, bxor: a ^ b ^ c };
      for (const op of ["band", "bor", "bxor"] as const) {
        const result = bitsOf(reduced(dtype, op, raws(make(a), make(b), make(c)), { engine }));
        expect(result[0]).toBe((expected[op] >>> 0) % 2 ** bits);
        expect(result.at(-1)).toBe(result[0]);
      }
    }
  });
});

describe("products of floats", () => {
  it("follow one fixed tree in f64 and round once, whatever the groups", () => {
    const values = [1e30, 3, 1e-30, 7, 1.1];
    const sources = raws(...values.map((value) => Float32Array.of(value)));
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = values.map(Math.fround);
    const expected = Math.fround(a * b * (c * d) * e);
    expect(reduced("f32", "prod", sources)[0]).toBe(expected);
    const groups = [
      [0, 1, 2],
      [3, 4],
    ];
    expect(reduced("f32", "prod", sources, { groups })[0]).toBe(expected);
    // In the dtype, the first product of a chain is rounded.
    const chained = reduced("f32", "prod", sources, { order: "rank" })[0];
    const step = (x: number, y: number) => Math.fround(x * y);
    expect(chained).toBe(step(step(step(step(a, b), c), d), e));
  });
});

describe("f64", () => {
  it("in order has the same bits by both engines", () => {
    const { sources } = makeElements("f64", { seed: 3, ranks: 11, count: long });
    for (const op of ["sum", "avg", "prod", "min", "max"] as const) {
      for (const order of ["rank", "tree"] as const) {
        const [one, other] = engines.map((engine) =>
          bitsIn(reduced("f64", op, sources, { order, engine })),
        );
        expect(one).toEqual(other);
      }
    }
  });
});
