import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matmulF32 } from "../../../../../src/runtime/tensor/kernels/index.ts";
import { anyF32, bitsOf, sharedF32 } from "../bits.ts";

interface Sizes {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

const engines = ["wasm", "typescript"] as const;

describe("matmulF32", () => {
  it.each(engines)("multiplies small whole numbers exactly (%s)", (engine) => {
    const out = new Float32Array(4);
    const a = Float32Array.of(1, 2, 3, 4, 5, 6);
    const b = Float32Array.of(7, 8, 9, 10, 11, 12);
    matmulF32({ a, b, out, m: 2, k: 3, n: 2, engine });
    expect([...out]).toEqual([58, 64, 139, 154]);
  });

  it.each(engines)("adds products in ascending order of k, rounding each time (%s)", (engine) => {
    const big = 2 ** 24;
    const product = (a: number[]) => {
      const out = new Float32Array(1);
      const k = a.length;
      matmulF32({
        a: Float32Array.from(a),
        b: new Float32Array(k).fill(1),
        out,
        m: 1,
        k,
        n: 1,
        engine,
      });
      return out[0];
    };
    // 2^24 + 1 is halfway and goes to even; 1 + 1 first makes a step of its own.
    expect(product([big, 1, 1])).toBe(big);
    expect(product([1, 1, big])).toBe(big + 2);
  });

  it.each(engines)(
    "rounds the product before it is added, as nothing fused would (%s)",
    (engine) => {
      const x = 1 + 2 ** -12;
      const out = new Float32Array(1);
      const options = { m: 1, k: 2, n: 1, engine };
      matmulF32({ a: Float32Array.of(-1, x), b: Float32Array.of(1, x), out, ...options });
      // Exactly 2^-11 + 2^-24: the last bit is lost when x * x is rounded.
      expect(out[0]).toBe(2 ** -11);
    },
  );

  it.each(engines)("starts every sum at +0 and stores one kind of NaN (%s)", (engine) => {
    const out = new Float32Array(3).fill(5);
    const b = Float32Array.of(0, Infinity, Number.NaN);
    matmulF32({ a: Float32Array.of(-0), b, out, m: 1, k: 1, n: 3, engine });
    expect(bitsOf(out)).toEqual([0, 0x7fc00000, 0x7fc00000]);
    matmulF32({ a: b, b, out, m: 1, k: 0, n: 3, engine });
    expect(bitsOf(out)).toEqual([0, 0, 0]);
  });

  it("gives the same bits in WebAssembly and TypeScript, whatever the values", () => {
    const sizes = fc.record({
      m: fc.integer({ min: 0, max: 9 }),
      k: fc.integer({ min: 0, max: 20 }),
      n: fc.integer({ min: 0, max: 19 }),
    });
    const problems = sizes.chain((size) => {
      const values = (count: number) => fc.array(anyF32, { minLength: count, maxLength: count });
      return fc.tuple(fc.constant(size), values(size.m * size.k), values(size.k * size.n));
    });
    fc.assert(
      fc.property(problems, ([size, a, b]) => expectTwins(size, sharedF32(a), sharedF32(b))),
      { numRuns: 150 },
    );
  });

  it.each<Sizes>([
    { m: 257, k: 300, n: 521 },
    { m: 3, k: 513, n: 1030 },
    { m: 600, k: 256, n: 8 },
    { m: 1, k: 1, n: 513 },
  ])("gives the same bits for any cut into blocks: $m x $k x $n", (size) => {
    const a = randomValues(size.m * size.k, 1);
    const b = randomValues(size.k * size.n, 2);
    expectTwins(size, a, b);
  });

  it("gives the same bits with any number of threads, shared arrays or not", () => {
    const size = { m: 130, k: 270, n: 530 };
    const a = randomValues(size.m * size.k, 3);
    const b = randomValues(size.k * size.n, 4);
    const alone = new Float32Array(size.m * size.n);
    matmulF32({ a: a.slice(), b: b.slice(), out: alone, ...size, engine: "wasm" });
    for (const threads of [1, 2, 3]) {
      const out = sharedF32(size.m * size.n);
      matmulF32({ a, b, out, ...size, engine: "wasm", threads });
      expect(bitsOf(out)).toEqual(bitsOf(alone));
    }
  });

  it.each(engines)(
    "reads and writes from the starts it is given and nothing else (%s)",
    (engine) => {
      const out = sharedF32([9, 9, 9, 9]);
      const a = sharedF32([8, 2, 3]).subarray(1);
      const b = sharedF32([8, 8, 5, 7]);
      matmulF32({ a, aStart: 1, b, bStart: 2, out, outStart: 1, m: 1, k: 1, n: 2, engine });
      expect([...out]).toEqual([9, 15, 21, 9]);
    },
  );

  it("refuses arrays that are too short", () => {
    const one = new Float32Array(1);
    const size = { m: 1, k: 1, n: 1 };
    expect(() => matmulF32({ a: one, b: one, out: one, ...size, m: 2 })).toThrow("a has m x k");
    expect(() => matmulF32({ a: one, b: one, out: one, ...size, bStart: 1 })).toThrow(
      "b has k x n",
    );
    expect(() => matmulF32({ a: one, b: one, out: one, m: 1, k: 0, n: 2 })).toThrow(
      "out has m x n",
    );
    expect(() => matmulF32({ a: one, b: one, out: one, ...size, k: -1 })).toThrow("whole numbers");
  });
});

function expectTwins(size: Sizes, a: Float32Array, b: Float32Array): void {
  const [wasm, twin] = engines.map((engine) => {
    const out = sharedF32(size.m * size.n);
    matmulF32({ a, b, out, ...size, engine });
    return bitsOf(out);
  });
  expect(wasm).toEqual(twin);
}

/** Values of mixed sign and size that no test needs to choose. */
function randomValues(count: number, seed: number): Float32Array {
  let state = seed;
  return sharedF32(
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 2 ** 31 - 1) * 2 ** ((state >>> 3) % 20);
    }),
  );
}
