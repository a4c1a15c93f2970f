import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import {
  allocateRaw,
  type DType,
  decodeInto,
  dtypes,
  roundTo,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  fillRandom,
  philoxKeyOf,
  type RandomSpec,
} from "../../../../src/runtime/tensor/random/index.ts";
import { philoxWords } from "../../../../src/runtime/tensor/random/philox-words.ts";

function values(spec: RandomSpec, start: number, count: number, dtype: DType = "f64"): number[] {
  const raw = allocateRaw(dtype, count);
  fillRandom(spec, dtype, start, count, raw);
  return Array.from(raw);
}

const kinds = ["uniform", "symmetric", "normal"] as const;

describe("fillRandom", () => {
  it.each<[RandomSpec, number[]]>([
    [
      { kind: "uniform", seed: 42 },
      [0.8551393747329712, 0.6839501857757568, 0.7095650434494019, 0.9141130447387695],
    ],
    [
      { kind: "symmetric", seed: 42 },
      [-0.2897212505340576, -0.6320996284484863, -0.5808699131011963, -0.17177391052246094],
    ],
    [
      { kind: "normal", seed: 42 },
      [1.0587335495086212, 0.47877381635394434, 0.5521146643318761, 1.366526180464958],
    ],
    [
      { kind: "uniform", seed: "rack", stream: "weights" },
      [0.19643956422805786, 0.7765005826950073, 0.4790363311767578, 0.6061033010482788],
    ],
  ])("gives the same values for ever for %o", (spec, expected) => {
    // Digests in reports must keep their meaning: a change here breaks every recorded run.
    expect(values(spec, 0, 4)).toEqual(expected);
  });

  it("makes its words from the stream `tensor` of the seed", () => {
    const stream = createRng("s").stream("tensor", "weights");
    const expected = [0, 1, 2, 3, 4, 1001].map((index) => (stream.at(index) >>> 8) / 2 ** 24);
    const spec = { kind: "uniform", seed: "s", stream: "weights" } as const;
    expect([...values(spec, 0, 5), ...values(spec, 1001, 1)]).toEqual(expected);
  });

  it("makes far words as the stream does, beyond 2^32 blocks too", () => {
    const stream = createRng(1).stream("tensor", 0);
    const key = philoxKeyOf({ kind: "uniform", seed: 1 });
    const index = fc.integer({ min: 0, max: 2 ** 52 });
    fc.assert(
      fc.property(index, fc.integer({ min: 0, max: 20 }), (start, count) => {
        const words = new Uint32Array(count);
        philoxWords(key, start, words);
        expect(Array.from(words)).toEqual(Array.from(words, (_, at) => stream.at(start + at)));
      }),
    );
  });

  it.each(kinds)("gives a slice of %s the values that the whole has there", (kind) => {
    const spec = { kind, seed: 7, stream: 3 } as const;
    const whole = values(spec, 0, 10_000);
    const start = fc.integer({ min: 0, max: 9_999 });
    fc.assert(
      fc.property(start, fc.integer({ min: 0, max: 5_000 }), (from, length) => {
        const count = Math.min(length, 10_000 - from);
        expect(values(spec, from, count)).toEqual(whole.slice(from, from + count));
      }),
      { numRuns: 30 },
    );
  });

  it.each(dtypes)("rounds each value once to %s", (dtype) => {
    const spec = { kind: "normal", seed: 5 } as const;
    const raw = allocateRaw(dtype, 100);
    fillRandom(spec, dtype, 9, 100, raw);
    const stored = new Float64Array(100);
    decodeInto(dtype, raw, 0, 100, stored);
    const expected = values(spec, 9, 100).map((value) => roundTo(dtype, value));
    expect(Array.from(stored)).toEqual(expected);
  });

  it("refuses a kind that it does not know", () => {
    const spec = { kind: "gauss", seed: 1 } as unknown as RandomSpec;
    expect(() => values(spec, 0, 1)).toThrow("uniform, symmetric or normal, not gauss");
  });

  it("writes where it was told, and nowhere else", () => {
    const out = new Float64Array(6).fill(9);
    fillRandom({ kind: "uniform", seed: 1 }, "f64", 10, 2, out, 3);
    expect(Array.from(out)).toEqual([9, 9, 9, ...values({ kind: "uniform", seed: 1 }, 10, 2), 9]);
  });

  it("tells seeds and streams apart, and takes a number and its text for the same seed", () => {
    const of = (seed: string | number, stream?: string | number) =>
      values(
        stream === undefined ? { kind: "uniform", seed } : { kind: "uniform", seed, stream },
        0,
        4,
      );
    expect(of(1)).toEqual(of("1"));
    expect(of(1)).toEqual(of(1, 0));
    expect(of(1)).not.toEqual(of(2));
    expect(of(1)).not.toEqual(of(1, 1));
    expect(of(1)).not.toEqual(of(1, "0"));
  });
});

describe.each<[RandomSpec["kind"], number, number, number, number]>([
  ["uniform", 0, 1, 1 / 2, 1 / 12],
  ["symmetric", -1, 1, 0, 1 / 3],
  ["normal", -6.4, 6.4, 0, 1],
])("%s values", (kind, min, max, mean, variance) => {
  it("spread as they should", () => {
    const count = 40_000;
    const drawn = values({ kind, seed: "spread" }, 0, count);
    const sum = drawn.reduce((total, value) => total + value, 0);
    const squares = drawn.reduce((total, value) => total + (value - mean) ** 2, 0);
    expect(drawn.every((value) => value >= min && value < max)).toBe(true);
    // Four standard errors of the mean; the seed is fixed, so this never fails by chance.
    expect(Math.abs(sum / count - mean)).toBeLessThan(4 * Math.sqrt(variance / count));
    expect(Math.abs(squares / count - variance)).toBeLessThan(0.03 * variance);
  });

  it("are all of the grid that the documentation names", () => {
    const grid = kind === "uniform" ? 2 ** 24 : 2 ** 23;
    const onGrid = values({ kind, seed: 1 }, 0, 100).filter((value) =>
      Number.isInteger(value * grid),
    );
    expect(onGrid).toHaveLength(kind === "normal" ? 0 : 100);
  });
});
