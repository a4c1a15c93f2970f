import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { allocateRaw, bitsOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import {
  type ChunkSource,
  orderErrorBound,
  type ReduceOrder,
  type ReduceRequest,
  readSource,
  reduceInto,
} from "../../../../src/runtime/tensor/reduce/index.ts";

const engines = ["typescript", "wasm"] as const;

type Options = Partial<Omit<ReduceRequest, "out" | "sources">>;

/** One f32 element per rank, reduced. */
function sumOf(values: readonly number[], options: Options = {}): Float32Array {
  const sources = values.map(
    (value): ChunkSource => ({ kind: "raw", raw: Float32Array.of(value), start: 0 }),
  );
  return sumOfSources(sources, 1, options);
}

function sumOfSources(sources: readonly ChunkSource[], count: number, options: Options) {
  const out = new Float32Array(count);
  reduceInto({ dtype: "f32", op: "sum", count, sources, out, ...options });
  return out;
}

function hex(values: Float32Array): string {
  return `0x${(bitsOf(values)[0] ?? 0).toString(16)}`;
}

function groupsOf(ranks: number, size: number): number[][] {
  const groups: number[][] = [];
  for (let rank = 0; rank < ranks; rank += size) {
    groups.push(Array.from({ length: Math.min(size, ranks - rank) }, (_, index) => rank + index));
  }
  return groups;
}

const tenths = Array.from({ length: 72 }, (_, rank) => Math.fround(0.1 * (rank + 1)));
const harmonic = (ranks: number) =>
  Array.from({ length: ranks }, (_, rank) => Math.fround(1 / (rank + 1)));

describe("sums whose bits depend on the order", () => {
  const rows = [
    {
      name: "tenths",
      values: tenths,
      rank: "0x43836667",
      tree: "0x43836666",
      by8: "0x43836666",
      by9: "0x43836667",
      exact: "0x43836666",
    },
    {
      name: "1/(i+1) of 72",
      values: harmonic(72),
      rank: "0x409b8bc3",
      tree: "0x409b8bc2",
      by8: "0x409b8bc2",
      by9: "0x409b8bc3",
      exact: "0x409b8bc2",
    },
    {
      name: "1/(i+1) of 1024",
      values: harmonic(1024),
      rank: "0x40f04b3a",
      tree: "0x40f04b2c",
      by8: "0x40f04b2c",
      by9: "0x40f04b2c",
      exact: "0x40f04b2b",
    },
  ];

  it.each(rows)("have the known bits for $name", ({ values, rank, tree, by8, by9, exact }) => {
    expect(hex(sumOf(values, { order: "rank" }))).toBe(rank);
    expect(hex(sumOf(values, { order: "tree" }))).toBe(tree);
    const grouped = (size: number) => ({ groups: groupsOf(values.length, size) });
    expect(hex(sumOf(values, { order: "tree", ...grouped(8) }))).toBe(by8);
    expect(hex(sumOf(values, { order: "tree", ...grouped(9) }))).toBe(by9);
    for (const engine of engines) {
      expect(hex(sumOf(values, { engine }))).toBe(exact);
      expect(hex(sumOf(values, { engine, ...grouped(8) }))).toBe(exact);
    }
  });

  it("give 1, 0 and the true 2 for the classic cancellation", () => {
    const values = [1e8, 1, -1e8, 1];
    expect([...sumOf(values, { order: "rank" })]).toEqual([1]);
    expect([...sumOf(values, { order: "tree" })]).toEqual([0]);
    expect([...sumOf(values)]).toEqual([2]);
  });
});

/** Running values in f32, straight from the definition of each order. */
function orderedSum(values: readonly number[], order: ReduceOrder, chunk: number): number {
  const ranks = values.length;
  const at = (rank: number) => values[rank % ranks] ?? Number.NaN;
  if (order === "tree") {
    let level = [...values];
    while (level.length > 1) {
      const next: number[] = [];
      for (let i = 0; i < level.length; i += 2) {
        const [left = 0, right] = level.slice(i, i + 2);
        next.push(right === undefined ? left : Math.fround(left + right));
      }
      level = next;
    }
    return level[0] ?? Number.NaN;
  }
  const first = order === "ring" ? chunk + 1 : 0;
  let sum = at(first);
  for (let hop = 1; hop < ranks; hop++) sum = Math.fround(sum + at(first + hop));
  return sum;
}

function randomSources(ranks: number, kind: "symmetric" | "normal" = "symmetric"): ChunkSource[] {
  return Array.from({ length: ranks }, (_, stream) => ({
    kind: "random",
    spec: { kind, seed: 7, stream },
    start: 3,
  }));
}

/** The values of one element, by rank. */
function valuesAt(sources: readonly ChunkSource[], element: number): number[] {
  const value = new Float32Array(1);
  return sources.map((source) => {
    readSource(source, "f32", element, 1, value, 0);
    return value[0] ?? Number.NaN;
  });
}

/** Made once: normal values take their time. */
const normals = randomSources(12, "normal").map((source): ChunkSource => {
  const raw = new Float32Array(4096 * 12 + 5);
  readSource(source, "f32", 0, raw.length, raw, 0);
  return { kind: "raw", raw, start: 0 };
});

describe.each(["rank", "ring", "tree"] as const)("the order %s", (order) => {
  it.each([2, 3, 7, 12])("is what its definition says for %i ranks", (ranks) => {
    // Long enough for the kernels, and not a multiple of anything.
    const count = 4096 * ranks + 5;
    const sources = normals.slice(0, ranks);
    const chunkSize = Math.ceil(count / ranks);
    for (const engine of engines) {
      const result = sumOfSources(sources, count, { order, engine });
      for (let element = 0; element < count; element += 97) {
        const chunk = Math.floor(element / chunkSize);
        expect(result[element]).toBe(orderedSum(valuesAt(sources, element), order, chunk));
      }
    }
  });

  it("has the same bits by both engines, with groups and as an average", () => {
    const ranks = 12;
    const count = 4096 * 12 + 3;
    const sources = randomSources(ranks);
    const groups = groupsOf(ranks, 5);
    for (const op of ["avg", "prod"] as const) {
      const [one, other] = engines.map((engine) =>
        sumOfSources(sources, count, { order, op, groups, engine }),
      );
      expect(one).toEqual(other);
    }
  });

  it("differs from the exact sum on random data, but by no more than its bound", () => {
    const ranks = 72;
    const count = 200;
    const sources = randomSources(ranks, "normal");
    const ordered = sumOfSources(sources, count, { order });
    const exact = sumOfSources(sources, count, {});
    const different = ordered.filter((value, element) => value !== exact[element]);
    expect(different.length).toBeGreaterThan(count / 2);
    for (let element = 0; element < count; element++) {
      const sumOfMagnitudes = valuesAt(sources, element).reduce((sum, x) => sum + Math.abs(x), 0);
      const bound = orderErrorBound({ order, ranks, dtype: "f32", sumOfMagnitudes });
      const rounding = orderErrorBound({ order: "exact", ranks, dtype: "f32", sumOfMagnitudes });
      const error = Math.abs((ordered[element] ?? 0) - (exact[element] ?? 0));
      expect(error).toBeLessThanOrEqual(bound + rounding);
    }
  });
});

describe("an adjacent tree", () => {
  it("has the same bits flat and in groups of an aligned power of two, and not in others", () => {
    const sources = randomSources(72);
    const flat = sumOfSources(sources, 400, { order: "tree" });
    const grouped = (size: number) =>
      sumOfSources(sources, 400, { order: "tree", groups: groupsOf(72, size) });
    for (const size of [2, 4, 8]) expect(grouped(size)).toEqual(flat);
    expect(grouped(9)).not.toEqual(flat);
  });
});

describe("the running value of a small float", () => {
  it("is wide by default and rounded after every step with accumulate: dtype", () => {
    // In bf16, 256 + 1 is 256: adding ones one by one never gets past it.
    const sources = Array.from(
      { length: 300 },
      (_, rank): ChunkSource => ({
        kind: "raw",
        raw: Uint16Array.of(0x3f80),
        start: rank % 1,
      }),
    );
    const sum = (options: Options) => {
      const out = allocateRaw("bf16", 1);
      reduceInto({ dtype: "bf16", op: "sum", count: 1, sources, out, ...options });
      return out[0];
    };
    expect(sum({ order: "rank", accumulate: "dtype" })).toBe(0x4380); // 256
    expect(sum({ order: "rank" })).toBe(0x4396); // 300
    expect(sum({ order: "exact" })).toBe(0x4396);
  });

  it("has the same bits by both engines in every small format", () => {
    const rng = createRng(5).stream("small");
    const count = 9000;
    for (const dtype of ["f16", "bf16", "e4m3", "e5m2"] as const) {
      const sources = Array.from({ length: 9 }, (): ChunkSource => {
        const raw = allocateRaw(dtype, count);
        for (let i = 0; i < count; i++)
          raw[i] = rng.uint32() & (raw.BYTES_PER_ELEMENT === 1 ? 0xff : 0xffff);
        return { kind: "raw", raw, start: 0 };
      });
      for (const op of ["sum", "avg", "max", "bxor"] as const) {
        const [one, other] = engines.map((engine) => {
          const out = allocateRaw(dtype, count);
          reduceInto({ dtype, op, count, sources, order: "rank", out, engine });
          return out;
        });
        expect(one).toEqual(other);
      }
    }
  });
});
