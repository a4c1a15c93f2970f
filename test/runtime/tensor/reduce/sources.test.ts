import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { allocateRaw, bitsOf, type DType } from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  type ChunkSource,
  type ReduceRequest,
  readSource,
  reduceInto,
} from "../../../../src/runtime/tensor/reduce/index.ts";
import { bitsIn } from "./support/elements.ts";
import { exactBits } from "./support/exact-oracle.ts";

const engines = ["typescript", "wasm"] as const;

function read(source: ChunkSource, dtype: DType, start: number, count: number) {
  const out = allocateRaw(dtype, count);
  readSource(source, dtype, start, count, out, 0);
  return out;
}

function sum(sources: readonly ChunkSource[], count: number, options: Partial<ReduceRequest> = {}) {
  const out = allocateRaw(options.dtype ?? "f32", count);
  const stats = reduceInto({ dtype: "f32", op: "sum", count, sources, out, ...options });
  return { bits: bitsIn(out), stats };
}

const random = (
  stream: number,
  start = 0,
  kind: "uniform" | "symmetric" | "normal" = "symmetric",
): ChunkSource => ({
  kind: "random",
  spec: { kind, seed: "sources", stream },
  start,
});

describe("a source", () => {
  it("of random values gives the words of its stream, from its start on", () => {
    const stream = createRng("sources").stream("tensor", 4);
    const values = read(random(4, 100), "f32", 5, 3);
    expect([...values]).toEqual([105, 106, 107].map((index) => (stream.at(index) >> 8) * 2 ** -23));
  });

  it("of a constant is that value rounded to the dtype, -0 too", () => {
    expect([...read({ kind: "constant", value: 0.1 }, "f32", 7, 2)]).toEqual([
      Math.fround(0.1),
      Math.fround(0.1),
    ]);
    expect(bitsIn(read({ kind: "constant", value: -0 }, "f64", 0, 2))).toEqual([
      1n << 63n,
      1n << 63n,
    ]);
  });

  it("with patches has other bits exactly there", () => {
    const source: ChunkSource = { kind: "constant", value: 1 };
    const patched: ChunkSource = {
      kind: "patched",
      source,
      patches: [{ index: 9, xor: 1 << 31, xorHigh: 2 }],
    };
    expect([...read(patched, "f32", 8, 3)]).toEqual([1, -1, 1]);
    expect([...read(patched, "f32", 10, 2)]).toEqual([1, 1]);
    expect(bitsIn(read(patched, "f64", 9, 1))).toEqual([(0x3ff00002n << 32n) | 0x80000000n]);
  });

  it("keeps the bits of a NaN", () => {
    const raw = new Float32Array(1);
    bitsOf(raw)[0] = 0xffa00001;
    expect(bitsOf(read({ kind: "raw", raw, start: 0 }, "f32", 0, 1))[0]).toBe(0xffa00001);
  });
});

describe("a sum of sources of all kinds", () => {
  // Over a chunk's end, off every alignment, each kind of random value, patches in one chunk only.
  const count = 40_007;
  const raw = allocateRaw("f32", count + 3);
  const bits = bitsOf(raw);
  const rng = createRng(1).stream("raw");
  for (let i = 0; i < bits.length; i++) bits[i] = rng.uint32() & 0xbfffffff;
  const sources: readonly ChunkSource[] = [
    { kind: "raw", raw, start: 3 },
    random(0, 5),
    random(1, 1_000_003, "uniform"),
    random(2, 16, "normal"),
    { kind: "constant", value: -0.3 },
    { kind: "constant", value: -0 },
    { kind: "patched", source: random(3, 7), patches: [{ index: 20_000, xor: 0x7f800000 }] },
    {
      kind: "patched",
      source: { kind: "raw", raw, start: 0 },
      patches: [{ index: 39_999, xor: 1 }],
    },
  ];
  const columns = sources.map((source) => bitsIn(read(source, "f32", 0, count)));
  const expected = Array.from({ length: count }, (_, i) =>
    exactBits(
      "f32",
      columns.map((column) => column[i] ?? 0n),
      false,
    ),
  );

  it.each(engines)("is exact by %s", (engine) => {
    expect(sum(sources, count, { engine }).bits).toEqual(expected);
  });

  it("is the same in groups, on one thread and on two", () => {
    const groups = [
      [7, 1],
      [2, 0, 3],
      [4, 6, 5],
    ];
    for (const threads of [1, 2])
      expect(sum(sources, count, { groups, threads }).bits).toEqual(expected);
  });

  it("says how many elements were proven exact and how many were accumulated", () => {
    for (const engine of engines) {
      const { certified, accumulated, elements } = sum(sources, count, { engine }).stats;
      expect(accumulated).toBeGreaterThan(count / 2);
      expect(certified).toBeGreaterThan(0);
      expect(certified + accumulated).toBe(elements);
    }
  });
});

describe("sums of random sources alone", () => {
  it("are certain without looking at the values", () => {
    const sources = Array.from({ length: 300 }, (_, stream) => random(stream, 13));
    const groups = [
      sources.map((_, index) => index).filter((index) => index % 3 === 0),
      sources.map((_, index) => index).filter((index) => index % 3 !== 0),
    ];
    const count = 1000;
    const columns = sources.map((source) => bitsIn(read(source, "f32", 0, count)));
    const expected = Array.from({ length: count }, (_, i) =>
      exactBits(
        "f32",
        columns.map((column) => column[i] ?? 0n),
        true,
      ),
    );
    const averages = sum(sources, count, { op: "avg", groups, engine: "wasm" });
    expect(averages.bits).toEqual(expected);
    expect(averages.stats).toMatchObject({ certified: count, accumulated: 0, aliased: false });
  });
});

describe("sources that are all the same", () => {
  const raw = Float32Array.of(0.1, -0, Number.POSITIVE_INFINITY, 3e38, 1e-45);
  const same = (n: number): ChunkSource[] =>
    Array.from({ length: n }, () => ({ kind: "raw", raw, start: 0 }));
  // The same bits elsewhere in memory, which nothing but reading can tell.
  const copies = (n: number): ChunkSource[] =>
    Array.from({ length: n }, () => ({ kind: "raw", raw: raw.slice(), start: 0 }));

  it.each(["sum", "avg", "min", "max", "band", "bor", "bxor", "prod"] as const)(
    "are not read one by one for %s, with the same result",
    (op) => {
      for (const n of [2, 7, 72]) {
        const fast = sum(same(n), raw.length, { op });
        const slow = sum(copies(n), raw.length, { op });
        expect(fast.bits).toEqual(slow.bits);
        expect(fast.stats.aliased).toBe(op !== "prod");
        expect(slow.stats.aliased).toBe(false);
      }
    },
  );

  it("are told by value for constants and streams, and by start", () => {
    const aliased = (sources: ChunkSource[]) => sum(sources, 4).stats.aliased;
    expect(
      aliased([
        { kind: "constant", value: 1 },
        { kind: "constant", value: 1 },
      ]),
    ).toBe(true);
    expect(
      aliased([
        { kind: "constant", value: 0 },
        { kind: "constant", value: -0 },
      ]),
    ).toBe(false);
    expect(aliased([random(1, 4), random(1, 4)])).toBe(true);
    expect(aliased([random(1, 4), random(2, 4)])).toBe(false);
    expect(
      aliased([
        { kind: "raw", raw, start: 0 },
        { kind: "raw", raw, start: 1 },
      ]),
    ).toBe(false);
  });

  it("are read all the same where the order rounds", () => {
    const tenth: ChunkSource = { kind: "constant", value: 0.1 };
    const sources = Array.from({ length: 72 }, () => tenth);
    const ordered = sum(sources, 1, { order: "rank" });
    expect(ordered.stats.aliased).toBe(false);
    expect(ordered.bits).not.toEqual(sum(sources, 1).bits);
    expect(sum(sources, 1).bits).toEqual([
      exactBits(
        "f32",
        Array.from({ length: 72 }, () => 0x3dcccccdn),
        false,
      ),
    ]);
  });
});
