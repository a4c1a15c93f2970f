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
  reduceInto,
} from "../../../../src/runtime/tensor/reduce/index.ts";

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
    const count = 70_003;
    const ranks = 7;
    const sources = Array.from(
      { length: ranks },
      (_, seed): ChunkSource => ({ kind: "raw", raw: rawBits(dtype, count, seed), start: 0 }),
    );
    const groups = [[6, 0, 1, 5, 2], [3], [4]];

    it.each(["sum", "avg"] as const)("give the bits of their twin for an exact %s", (op) => {
      const request = { dtype, op, sources, count };
      const twin = reduced({ ...request, engine: "typescript" });
      const kernels = reduced({ ...request, engine: "wasm", threads: 2 });
      expect(kernels.bits).toEqual(twin.bits);
      expect(kernels.stats.accumulated).toBe(twin.stats.accumulated);
      expect(reduced({ ...request, engine: "wasm", groups }).bits).toEqual(twin.bits);
    });
  },
);

describe("a reduction longer than a wave", () => {
  const count = 2 ** 20 + 40_000;
  const raw = rawBits("f32", count, 1);
  const spec = { kind: "symmetric", seed: 1 } as const;
  const sources: readonly ChunkSource[] = [
    { kind: "raw", raw, start: 0 },
    { kind: "random", spec, start: 9 },
    {
      kind: "patched",
      source: { kind: "constant", value: 1 },
      patches: [
        { index: 5, xor: 1 },
        { index: 2 ** 20, xor: 2 ** 30 },
        { index: count - 1, xor: 3 },
      ],
    },
  ];

  it.each(["exact", "tree"] as const)("has the bits of its twin, order %s", (order) => {
    const request = { dtype: "f32", op: "sum", sources, count, order } as const;
    const twin = reduced({ ...request, engine: "typescript" });
    const kernels = reduced({ ...request, engine: "wasm" });
    // Comparing a million elements one by one takes the test runner seconds.
    expect(Buffer.from(kernels.bits.buffer).equals(Buffer.from(twin.bits.buffer))).toBe(true);
  });

  it("writes nothing outside its place in the result", () => {
    const out = new Float32Array(count + 5).fill(7);
    reduceInto({ dtype: "f32", op: "sum", sources, count, out, outStart: 2, engine: "wasm" });
    expect([out[0], out[1], out[count + 2], out[count + 4]]).toEqual([7, 7, 7, 7]);
    expect(out[2]).not.toBe(7);
  });
});

describe("an exact sum of many values", () => {
  it("keeps its limbs in range, whatever the number of values and groups", () => {
    // The largest single 1300 times, half of it cancelled: overflows any sum in singles.
    const largest: ChunkSource = {
      kind: "raw",
      raw: Float32Array.of(3.4028234663852886e38, 1e-45),
      start: 0,
    };
    const negative: ChunkSource = {
      kind: "raw",
      raw: Float32Array.of(-3.4028234663852886e38, 1e-45),
      start: 0,
    };
    const tiny: ChunkSource = { kind: "constant", value: 1e-45 };
    const sources = Array.from({ length: 1300 }, (_, rank) =>
      rank < 649 ? largest : rank < 1298 ? negative : tiny,
    );
    const groups = [
      sources.map((_, index) => index).slice(0, 600),
      sources.map((_, index) => index).slice(600),
    ];
    for (const engine of ["typescript", "wasm"] as const) {
      const sum = (o: Partial<ReduceRequest>) =>
        reduced({ dtype: "f32", op: "sum", count: 2, sources, engine, ...o }).bits;
      expect([...sum({})]).toEqual([2, 1300]);
      expect([...sum({ groups })]).toEqual([2, 1300]);
    }
  });
});
