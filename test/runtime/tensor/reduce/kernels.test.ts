import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import {
  allocateRaw,
  bitsOf,
  type DType,
  type RawArray,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  type ChunkSource,
  type ReduceRequest,
  readSource,
  reduceInto,
} from "../../../../src/runtime/tensor/reduce/index.ts";
import { firstDifference } from "./support/first-difference.ts";

/** Bits as they come, in every other element with exponents close to each other. */
function rawBits(dtype: DType, count: number, seed: number): RawArray {
  const raw = allocateRaw(dtype, count);
  const bits = bitsOf(raw);
  const rng = createRng(seed).stream("bits", dtype);
  const words = bits.length / count;
  for (let i = 0; i < bits.length; i++) {
    const word = rng.uint32();
    const isTame = Math.floor(i / words) % 2 === 0 && i % words === words - 1;
    bits[i] = isTame && dtype === "f32" ? (word & 0x81ffffff) | 0x3e000000 : word;
    if (isTame && dtype === "f64") bits[i] = (word & 0x803fffff) | 0x3fc00000;
  }
  return raw;
}

function reduced(request: Omit<ReduceRequest, "out">) {
  const out = allocateRaw(request.dtype, request.count);
  const stats = reduceInto({ ...request, out });
  return { bits: bitsOf(out), stats };
}

describe.each(["f64", "f32", "f16", "bf16", "e4m3", "e5m2"] as const)(
  "the kernels for %s",
  (dtype) => {
    // Several chunks on several threads, the last one short.
    const count = {
      f64: 20_003,
      f32: 140_003,
      f16: 66_003,
      bf16: 66_003,
      e4m3: 66_003,
      e5m2: 66_003,
    }[dtype];
    const ranks = 5;
    const sources = Array.from(
      { length: ranks },
      (_, seed): ChunkSource =>
        seed === 0
          ? { kind: "constant", value: -0.75 }
          : { kind: "raw", raw: rawBits(dtype, count, seed), start: 0 },
    );
    const groups = [[4, 0], [1, 3], [2]];

    it.each(["sum", "avg"] as const)("give the bits of their twin for an exact %s", (op) => {
      const request = { dtype, op, sources, count };
      const twin = reduced({ ...request, engine: "typescript" });
      const kernels = reduced({ ...request, engine: "wasm", threads: 2 });
      expect(firstDifference(kernels.bits, twin.bits)).toBeUndefined();
      expect(kernels.stats.accumulated).toBe(twin.stats.accumulated);
      const grouped = reduced({ ...request, engine: "wasm", groups });
      expect(firstDifference(grouped.bits, twin.bits)).toBeUndefined();
    });
  },
);

describe("a reduction longer than a wave", () => {
  const count = 2 ** 22 + 40_000;
  const raw = new Float32Array(new SharedArrayBuffer(4 * count));
  readSource(
    { kind: "random", spec: { kind: "uniform", seed: 2 }, start: 0 },
    "f32",
    0,
    count,
    raw,
    0,
  );
  const spec = { kind: "symmetric", seed: 1 } as const;
  const sources: readonly ChunkSource[] = [
    { kind: "raw", raw, start: 0 },
    { kind: "random", spec, start: 9 },
    {
      kind: "patched",
      source: { kind: "constant", value: 1 },
      patches: [
        { index: 5, xor: 1 },
        { index: 2 ** 22, xor: 2 ** 30 },
        { index: count - 1, xor: 3 },
      ],
    },
  ];

  /** The twin's bits for some elements. */
  const twinOf = (request: Omit<ReduceRequest, "out" | "count" | "sources">, start: number) => {
    const pieces = sources.map((source): ChunkSource => {
      const piece = allocateRaw("f32", 100);
      readSource(source, "f32", start, 100, piece, 0);
      return { kind: "raw", raw: piece, start: 0 };
    });
    return reduced({ ...request, sources: pieces, count: 100, engine: "typescript" }).bits;
  };

  it.each(["exact", "tree"] as const)("has the bits of its twin, order %s", (order) => {
    const request = { dtype: "f32", op: "sum", order } as const;
    const { bits } = reduced({ ...request, sources, count, engine: "wasm" });
    // At the ends of waves, chunks and the whole, and where patches are.
    for (const start of [0, 65_500, 2 ** 21, 2 ** 22 - 50, 2 ** 22 + 5000, count - 100]) {
      expect(bits.slice(start, start + 100)).toEqual(twinOf(request, start));
    }
  });

  it("writes nothing outside its place in the result", () => {
    const out = new Float32Array(count + 5).fill(7);
    reduceInto({ dtype: "f32", op: "sum", sources, count, out, outStart: 2, engine: "wasm" });
    expect([out[0], out[1], out[count + 2], out[count + 4]]).toEqual([7, 7, 7, 7]);
    expect(out[2]).not.toBe(7);
  });
});

describe.each(["typescript", "wasm"] as const)("an exact sum by %s", (engine) => {
  const sum = (values: readonly number[], groups?: readonly (readonly number[])[]) => {
    const sources = values.map((value): ChunkSource => ({ kind: "constant", value }));
    const out = new Float32Array(1);
    const grouped = groups === undefined ? {} : { groups };
    const request = { dtype: "f32", op: "sum", count: 1, sources, engine, ...grouped } as const;
    return { stats: reduceInto({ ...request, out }), value: out[0] };
  };

  it("keeps its limbs in range, whatever the number of values and groups", () => {
    // Of all singles, this one reaches highest in its limb; 650 of them overflow one.
    const high = (2 ** 24 - 1) * 2 ** 74;
    const values = [...Array.from({ length: 650 }, () => high), 2 ** -149];
    const indices = values.map((_, index) => index);
    const expected = Math.fround(650 * high);
    expect(sum(values)).toMatchObject({ value: expected, stats: { accumulated: 1 } });
    expect(sum(values, [indices.slice(0, 640), indices.slice(640)]).value).toBe(expected);
    // The same with a sign, which the uppermost limb has to carry.
    expect(sum(values.map((value) => -value)).value).toBe(-expected);
  });

  it("takes nothing for exact that one bit more would spoil", () => {
    // Exactly between two singles, and what would get lost in a double decides.
    const five = [1.5, 1.5, 1 + 2 ** -22, (2 ** 23 + 1) * 2 ** -51, -(2 ** -28)];
    expect(sum(five)).toMatchObject({ value: 4 + 2 ** -21, stats: { accumulated: 1 } });
    const large = [1.75, 1.75, 1.5, 1.5, 1.5 + 2 ** -21];
    const seven = [...large, (2 ** 23 + 1) * 2 ** -50, -(2 ** -27)];
    expect(sum(seven)).toMatchObject({ value: 8 + 2 ** -20, stats: { accumulated: 1 } });
    // Without that bit it is a tie, and nothing is in doubt.
    expect(sum(large)).toMatchObject({ value: 8, stats: { certified: 1 } });
  });
});
