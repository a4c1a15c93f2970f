import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { philox4x32 } from "../../../../../src/platform/rng/philox.ts";
import {
  fillSymmetricF32,
  fillUniformF32,
} from "../../../../../src/runtime/tensor/kernels/index.ts";
import { bitsOf, sharedF32 } from "../bits.ts";

const engines = ["wasm", "typescript"] as const;
const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const streams = fc.record({ key: fc.tuple(word, word), counterHigh: fc.tuple(word, word) });
const stream = { key: [1, 2], counterHigh: [3, 4] } as const;

describe("filling with random values", () => {
  it.each(engines)("takes the words of platform/rng by their index (%s)", (engine) => {
    const starts = fc.oneof(
      fc.nat(100),
      fc.nat(Number.MAX_SAFE_INTEGER - 200),
      // Where the upper word of the counter begins to count.
      fc.integer({ min: -70, max: 5 }).map((offset) => 2 ** 34 + offset),
    );
    fc.assert(
      fc.property(streams, starts, fc.nat(100), (chosen, startIndex, count) => {
        const uniform = new Float32Array(count);
        const symmetric = new Float32Array(count);
        fillUniformF32({ ...chosen, startIndex, count, out: uniform, engine });
        fillSymmetricF32({ ...chosen, startIndex, count, out: symmetric, engine });
        const words = uniform.map((_, index) => index);
        for (const index of words) {
          const value = wordAt(chosen, startIndex + index);
          expect(uniform[index]).toBe((value >>> 8) * 2 ** -24);
          expect(symmetric[index]).toBe((value >> 8) * 2 ** -23);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("gives the same bits over chunks, jobs and threads", () => {
    const count = 2 ** 20 + 20_000;
    const startIndex = 2 ** 20 - 1003;
    const alone = new Float32Array(count);
    const shared = sharedF32(count);
    fillSymmetricF32({ ...stream, startIndex, count, out: alone, engine: "typescript" });
    fillSymmetricF32({ ...stream, startIndex, count, out: shared, engine: "wasm", threads: 3 });
    expect(Buffer.compare(Buffer.from(alone.buffer), Buffer.from(shared.buffer))).toBe(0);
  });

  it.each(engines)("writes where it is told and nowhere else (%s)", (engine) => {
    const out = sharedF32(new Float32Array(10).fill(9));
    fillUniformF32({
      ...stream,
      startIndex: 7,
      count: 3,
      out: out.subarray(2),
      outStart: 1,
      engine,
    });
    const expected = new Float32Array(10).fill(9);
    for (let index = 0; index < 3; index++) {
      expected[3 + index] = (wordAt(stream, 7 + index) >>> 8) * 2 ** -24;
    }
    expect(bitsOf(out)).toEqual(bitsOf(expected));
  });

  it("refuses an index below 0 and values without room", () => {
    const out = new Float32Array(4);
    expect(() => fillUniformF32({ ...stream, startIndex: -1, count: 1, out })).toThrow("from 0");
    expect(() => fillUniformF32({ ...stream, startIndex: 0, count: 5, out })).toThrow("room");
    const options = { ...stream, startIndex: 0, count: 4, out, outStart: 1 };
    expect(() => fillSymmetricF32(options)).toThrow("room");
  });
});

function wordAt(
  { key, counterHigh }: { key: readonly [number, number]; counterHigh: readonly [number, number] },
  index: number,
): number {
  const block = Math.floor(index / 4);
  const counter = [block % 2 ** 32, Math.floor(block / 2 ** 32), ...counterHigh] as const;
  return philox4x32(counter, key)[index % 4] ?? Number.NaN;
}
