import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addF32,
  divF32,
  type ElementwiseOptions,
  mulF32,
  type PairOptions,
  reluF32,
  scaleF32,
  subF32,
} from "../../../../../src/runtime/tensor/kernels/index.ts";
import { anyF32, bitsOf, sharedF32 } from "../bits.ts";

type Operation = (options: PairOptions) => void;
type Reference = (one: number, other: number) => number;

const engines = ["wasm", "typescript"] as const;
const scaleByTenth = (options: ElementwiseOptions) => scaleF32({ ...options, factor: 0.1 });
const operations: readonly (readonly [string, Operation, Reference])[] = [
  ["addF32", addF32, (one, other) => one + other],
  ["subF32", subF32, (one, other) => one - other],
  ["mulF32", mulF32, (one, other) => one * other],
  ["divF32", divF32, (one, other) => one / other],
  ["scaleF32", scaleByTenth, (one) => one * Math.fround(0.1)],
  ["reluF32", reluF32, (one) => (one > 0 || Number.isNaN(one) ? one : 0)],
];

describe.each(operations)("%s", (_, operation, reference) => {
  it("rounds once to f32 and stores one kind of NaN, in both engines", () => {
    const pairs = fc.array(fc.tuple(anyF32, anyF32), { maxLength: 40 });
    fc.assert(
      fc.property(pairs, (values) => {
        const a = sharedF32(values.map(([one]) => one));
        const b = sharedF32(values.map(([, other]) => other));
        const expected = Float32Array.from(values, ([one, other]) => {
          return reference(Math.fround(one), Math.fround(other));
        });
        for (const engine of engines) {
          const out = sharedF32(values.length);
          operation({ a, b, out, count: values.length, engine });
          expect(bitsOf(out)).toEqual(bitsOf(expected).map(canonical));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("gives the same over chunks, jobs and threads, in place too", () => {
    const count = 2 ** 18 + 16_390;
    const a = sharedF32(Float32Array.from({ length: count + 1 }, (_, index) => index - 9000.5));
    const b = sharedF32(Float32Array.from({ length: count }, (_, index) => 0.25 * index + 3));
    const twin = new Float32Array(count);
    const options = { a, aStart: 1, b, count };
    operation({ ...options, out: twin, engine: "typescript" });
    operation({ ...options, out: a, outStart: 1, engine: "wasm", threads: 3 });
    expect(a[0]).toBe(-9000.5);
    expect(Buffer.compare(Buffer.from(twin.buffer), Buffer.from(a.buffer, 4))).toBe(0);
  });

  it("refuses arrays that are too short", () => {
    const one = new Float32Array(1);
    expect(() => operation({ a: one, b: one, out: one, count: 2 })).toThrow("has the elements");
    expect(() => operation({ a: one, b: one, out: one, outStart: 1, count: 1 })).toThrow(
      "elements",
    );
    expect(() => operation({ a: one, b: one, out: one, count: -1 })).toThrow("whole number");
  });
});

function canonical(bits: number): number {
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}
