import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distribute, Mesh, shardSpec } from "../../../../src/runtime/dist/index.ts";
import { fromValues, randn, Tensor, zeros } from "../../../../src/runtime/tensor/index.ts";
import { equal, report } from "../../../../src/runtime/verify/equality/index.ts";

const shape = [16, 64] as const;
const base = randn(shape, { seed: 1 });

/** The same but for these elements, whose bits are turned over. */
function flipped(
  places: readonly (readonly [number, number])[],
  bits: (at: number) => number,
): Tensor {
  const raw = Float32Array.from(base.toNumbers());
  const words = new Uint32Array(raw.buffer);
  for (const [row, column] of places) {
    const at = row * 64 + column;
    words[at] = ((words[at] as number) ^ bits(at)) >>> 0;
  }
  return Tensor.over(raw, { dtype: "f32", shape });
}

const several = (at: number) => 1 << (3 + (at % 7));

describe("report", () => {
  it("says equal in one line", () => {
    expect(report(base, base)).toMatchObject({
      equal: true,
      differing: 0,
      pattern: { pattern: "none" },
    });
    expect(report(base, base).text).toBe("equal: 1024 elements, bit for bit");
  });

  it("locates a single flipped bit, with both values, their bits and their distance", () => {
    const other = flipped([[3, 5]], () => 1 << 21);
    const found = report(base, other);
    const before = base.at(3, 5);
    const bits = new Uint32Array(Float32Array.of(before).buffer)[0] as number;
    expect(found.first).toEqual({
      path: "",
      index: [3, 5],
      flatIndex: 197,
      a: { value: before, bits: `0x${bits.toString(16).padStart(8, "0")}`, ranks: [] },
      b: {
        value: other.at(3, 5),
        bits: `0x${((bits ^ (1 << 21)) >>> 0).toString(16).padStart(8, "0")}`,
        ranks: [],
      },
      ulps: 2 ** 21,
      flippedBits: [21],
    });
    expect(found).toMatchObject({
      differing: 1,
      maxUlps: 2 ** 21,
      pattern: { pattern: "single-bit" },
    });
    expect(found.maxAbs).toBe(Math.abs(before - other.at(3, 5)));
    expect(found.flippedBits[21]).toBe(1);
    expect(found.text).toContain("1 of 1024 elements of f32[16, 64] differ");
    expect(found.text).toContain("bit 21 of one element");
  });

  it.each([
    ["single-element", [[2, 2]], () => 0b11],
    [
      "one-column",
      [
        [1, 7],
        [4, 7],
        [9, 7],
      ],
      several,
    ],
    [
      "one-row",
      [
        [4, 7],
        [4, 8],
        [4, 11],
      ],
      several,
    ],
    [
      "stride",
      [
        [2, 5],
        [2, 37],
        [3, 5],
        [3, 37],
      ],
      several,
    ],
    [
      "tile",
      [
        [2, 8],
        [2, 9],
        [3, 8],
        [3, 9],
      ],
      several,
    ],
    [
      "same-bit",
      [
        [0, 1],
        [3, 9],
        [7, 2],
      ],
      () => 1 << 12,
    ],
    [
      "scattered",
      [
        [0, 1],
        [3, 9],
        [7, 2],
      ],
      several,
    ],
  ] as const)("takes it for %s", (pattern, places, bits) => {
    const found = report(base, flipped(places, bits));
    expect(found.pattern.pattern).toBe(pattern);
    expect(found.differing).toBe(places.length);
  });

  it("sees two columns exchanged, and not where only most of a column is", () => {
    const swap = (rows: number) => {
      const raw = Float32Array.from(base.toNumbers());
      for (let row = 0; row < rows; row++) {
        raw[row * 64 + 3] = base.at(row, 40);
        raw[row * 64 + 40] = base.at(row, 3);
      }
      return Tensor.over(raw, { dtype: "f32", shape });
    };
    expect(report(base, swap(16)).pattern.text).toBe("columns 3 and 40 are exchanged");
    for (const at of [3, 40]) {
      const odd = Float32Array.from(swap(16).toNumbers());
      odd[at] = 17;
      const found = report(base, Tensor.over(odd, { dtype: "f32", shape }));
      expect(found.pattern.pattern).toBe("scattered");
    }
  });

  it("says when most elements differ, and by which bits", () => {
    const found = report(base, randn(shape, { seed: 2 }));
    expect(found.pattern.pattern).toBe("most-elements");
    expect(found.differing).toBe(1024);
    expect(found.flippedBits.length).toBe(32);
  });

  it("has no distance beside a NaN, and still counts it", () => {
    const raw = Float32Array.from(base.toNumbers());
    raw[9] = Number.NaN;
    const found = report(base, Tensor.over(raw, { dtype: "f32", shape }));
    expect(found).toMatchObject({ differing: 1, maxUlps: null, maxAbs: null, maxRel: null });
    expect(found.first?.ulps).toBeNull();
    expect(found.text).toContain("a NaN");
  });

  it("names the replicas that disagree, and whether they have a majority", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], shape: [2, 3], devices: 6 });
    const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
    const x = distribute(base, { mesh, layout: rows });
    const odd = x.withBitFlip({ rank: 4, index: 65, bit: 30 });
    const found = report(x, odd);
    expect(found.first).toMatchObject({
      index: [9, 1],
      a: { ranks: [3, 4, 5] },
      b: { ranks: [4] },
    });
    expect(found.replicas).toEqual([
      { path: "", side: "b", ranks: [4], against: [3, 5], hasMajority: true },
    ]);
    expect(found.text).toContain("replicas of b disagree: rank 4 against ranks 3, 5");
    const pair = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    const torn = distribute(base, { mesh: pair }).withBitFlip({ rank: 0, index: 0, bit: 1 });
    expect(report(torn, base).replicas).toMatchObject([{ side: "a", hasMajority: false }]);
    expect(report(x, x).replicas).toEqual([]);
  });

  it("finds the place in records, and what is missing there", () => {
    const found = report({ m: { w: base, v: 1 } }, { m: { w: flipped([[0, 0]], () => 1), u: 2 } });
    expect(found.leaves.map(({ path, mismatch }) => [path, mismatch])).toEqual([
      ["m/v", "only a has it"],
      ["m/w", undefined],
      ["m/u", "only b has it"],
    ]);
    expect(found.first?.path).toBe("m/w");
    expect(found.text).toContain("m/w: 1 of 1024 elements");
    expect(report({ a: base }, { a: base.to("bf16") }).text).toContain(
      "a: f32[16, 64] against bf16[16, 64]",
    );
    expect(report({ a: 1 }, { a: -0 }).text).toContain("1 against -0");
  });

  it("agrees with equal, and counts what differs, for random changes", () => {
    const places = fc.uniqueArray(fc.nat(99), { maxLength: 20 });
    fc.assert(
      fc.property(places, fc.constantFrom("f64", "f16", "e5m2", "i32"), (changed, dtype) => {
        const values = Float64Array.from({ length: 100 }, (_, at) => at % 50);
        const a = fromValues(values, { dtype });
        for (const at of changed) values[at] = 60;
        const b = fromValues(values, { dtype });
        const found = report(a, b);
        expect(found.equal).toBe(equal(a, b));
        expect(found.differing).toBe(changed.length);
        expect(found.first?.flatIndex).toBe(
          changed.length === 0 ? undefined : Math.min(...changed),
        );
      }),
    );
  });

  it("shows all 64 bits of a double", () => {
    const a = fromValues([1], { dtype: "f64" });
    const found = report(a, fromValues([-1], { dtype: "f64" }));
    expect(found.first).toMatchObject({
      a: { bits: "0x3ff0000000000000" },
      b: { bits: "0xbff0000000000000" },
      flippedBits: [63],
      ulps: Number(2n * 0x3ff0000000000000n),
    });
    expect(report(zeros([0]), zeros([0])).equal).toBe(true);
  });
});
