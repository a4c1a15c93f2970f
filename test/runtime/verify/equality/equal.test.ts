import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  breakDuring,
  DistTensor,
  distribute,
  Mesh,
  type Placement,
  partial,
  shardSpec,
} from "../../../../src/runtime/dist/index.ts";
import {
  type DType,
  fromValues,
  randn,
  Tensor,
  zeros,
} from "../../../../src/runtime/tensor/index.ts";
import { equal, report } from "../../../../src/runtime/verify/equality/index.ts";
import { thrownBy } from "../../dist/mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
const x = randn([5, 7], { seed: 1 });

function f32Of(...bits: readonly number[]): Tensor {
  return Tensor.over(new Float32Array(Uint32Array.from(bits).buffer), {
    dtype: "f32",
    shape: [bits.length],
  });
}

const placement: fc.Arbitrary<Placement> = fc.oneof(
  fc.constant<Placement>({ kind: "replicate" }),
  fc.record({
    kind: fc.constant("shard" as const),
    dim: fc.constantFrom(0, 1),
    split: fc.constantFrom("ceil" as const, "balanced" as const, "cyclic" as const),
  }),
);
const layout = fc.tuple(placement, placement);

describe("equal", () => {
  it("tells -0 from 0, and one NaN from another", () => {
    expect(equal(f32Of(0x80000000), f32Of(0x80000000))).toBe(true);
    expect(equal(f32Of(0x80000000), f32Of(0))).toBe(false);
    expect(equal(f32Of(0x7fc00001), f32Of(0x7fc00001))).toBe(true);
    expect(equal(f32Of(0x7fc00001), f32Of(0x7fc00000))).toBe(false);
    expect(equal(-0, 0)).toBe(false);
    expect(equal(Number.NaN, Number.NaN)).toBe(true);
  });

  it("takes other shapes and dtypes for unequal, not for errors", () => {
    expect(equal(x, x.reshape([7, 5]))).toBe(false);
    expect(equal(zeros([2], { dtype: "f32" }), zeros([2], { dtype: "i32" }))).toBe(false);
    expect(equal(x, 3)).toBe(false);
    expect(equal(x.reshape([35]), x.reshape([7, 5]).reshape([35]))).toBe(true);
  });

  it("looks through strides, and at every element to the last", () => {
    const turned = x.transpose().contiguous().transpose();
    expect(turned.isContiguous).toBe(false);
    expect(equal(x, turned)).toBe(true);
    const values = Float32Array.from(x.toNumbers());
    values[34] = 9;
    expect(equal(x, fromValues(values, { shape: [5, 7] }))).toBe(false);
  });

  it("reads more than one piece", () => {
    const long = zeros([300_001], { dtype: "f64" });
    const raw = new Float64Array(300_001);
    expect(equal(long, fromValues(raw, { dtype: "f64" }))).toBe(true);
    raw[300_000] = -0;
    expect(equal(long, fromValues(raw, { dtype: "f64" }))).toBe(false);
  });

  it("walks records and lists: names, kinds and order of lists count, order of names does not", () => {
    const state = { w: x, list: [1, { b: x }], step: 3, name: "a", big: 2n, none: null };
    const same = {
      none: null,
      big: 2n,
      name: "a",
      step: 3,
      list: [1, { b: x.contiguous() }],
      w: x,
    };
    expect(equal(state, same)).toBe(true);
    expect(equal(state, { ...same, step: 4 })).toBe(false);
    expect(equal(state, { ...same, more: undefined })).toBe(false);
    expect(equal({ a: {} }, { a: [] })).toBe(false);
    expect(equal({ a: {} }, { a: "record" })).toBe(false);
    expect(equal([x], { 0: x })).toBe(false);
    expect(equal({ "a/b": 1 }, { a: { b: 1 } })).toBe(false);
    expect(equal([1, 2], [2, 1])).toBe(false);
    expect(equal({ a: 1 }, { a: 1n })).toBe(false);
  });

  it("takes holes of a list for undefined", () => {
    const holed = new Array<number | undefined>(2);
    holed[1] = 1;
    expect(equal(holed, [undefined, 1])).toBe(true);
    expect(equal(holed, [0, 1])).toBe(false);
  });

  it("refuses what it cannot look into", () => {
    const odd = new Map() as unknown as Record<string, never>;
    expect(thrownBy("E_VERIFY", () => equal({ a: odd }, { a: odd })).message).toContain("Map");
    const loop: { self?: unknown } = {};
    loop.self = loop;
    thrownBy("E_VERIFY", () => equal(loop as Record<string, never>, 1));
  });

  it("on a mesh is what it is for the gathered tensors, for all layouts and a flip anywhere", () => {
    fc.assert(
      fc.property(
        layout,
        layout,
        fc.constantFrom<DType>("f64", "f32", "bf16", "u8"),
        fc.option(fc.record({ rank: fc.nat(5), index: fc.nat(34), bit: fc.nat(7) })),
        (one, other, dtype, flip) => {
          const values = Float64Array.from({ length: 35 }, (_, i) => i);
          const whole = fromValues(values, { dtype, shape: [5, 7] });
          const a = distribute(whole, { mesh, layout: one });
          let b = distribute(whole, { mesh, layout: other });
          expect(equal(a, b)).toBe(true);
          expect(equal(whole, b)).toBe(true);
          if (flip === null || flip.index >= b.local(flip.rank).size) return;
          b = b.withBitFlip(flip);
          expect(equal(a, b)).toBe(false);
          expect(equal(b, whole)).toBe(false);
          const found = report(a, b);
          expect(found.differing).toBe(1);
          expect(found.first?.b.ranks).toContain(flip.rank);
          expect(found.first?.flippedBits).toEqual([flip.bit]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("compares across meshes of other sizes", () => {
    const small = new Mesh({ axes: ["tp"], shape: [2], devices: 2 });
    const columns = shardSpec({ partition: ["col"], meshAxes: ["tp"] });
    const a = distribute(x, { mesh, layout: rows });
    expect(equal(a, distribute(x, { mesh: small, layout: columns }))).toBe(true);
    expect(equal(a, distribute(randn([5, 7], { seed: 2 }), { mesh: small }))).toBe(false);
  });

  it("is symmetric, transitive, and reflexive where replicas agree", () => {
    const pool = [
      x,
      distribute(x, { mesh, layout: rows }),
      distribute(x, { mesh }),
      randn([5, 7], { seed: 2 }),
      distribute(x, { mesh, layout: rows }).withBitFlip({ rank: 1, index: 0, bit: 3 }),
    ];
    const member = fc.constantFrom(...pool);
    fc.assert(
      fc.property(member, member, member, (a, b, c) => {
        expect(equal(a, b)).toBe(equal(b, a));
        if (equal(a, b) && equal(b, c)) expect(equal(a, c)).toBe(true);
      }),
      { numRuns: 60 },
    );
    for (const one of pool.slice(0, 4)) expect(equal(one, one)).toBe(true);
    const odd = pool[4] as DistTensor;
    expect(equal(odd, odd), "a tensor whose replicas disagree has no value").toBe(false);
  });

  it("compares unfinished sums term by term, and refuses to compare them with anything else", () => {
    const terms = (seed: number) =>
      DistTensor.fromLocals({
        mesh,
        layout: [partial("sum"), { kind: "replicate" }],
        locals: (rank) => randn([2, 2], { seed: seed + Math.floor(rank / 2) }),
      });
    expect(equal(terms(1), terms(1))).toBe(true);
    expect(equal(terms(1), terms(2))).toBe(false);
    const flipped = terms(1).withBitFlip({ rank: 3, index: 2, bit: 5 });
    expect(equal(terms(1), flipped)).toBe(false);
    const found = report(terms(1), flipped);
    expect(found.first).toMatchObject({ index: [1, 0], b: { ranks: [3] } });
    expect(found.pattern.pattern).toBe("single-bit");
    thrownBy("E_LAYOUT_PARTIAL", () => equal(terms(1), terms(1).local(0)));
  });

  it("reads from living devices, and says when none holds a part", () => {
    const a = distribute(x, { mesh, layout: rows });
    const odd = a.withBitFlip({ rank: 1, index: 0, bit: 3 });
    expect(equal(odd, x)).toBe(false);
    expect(breakDuring({ kind: "dead", device: 1 }, () => equal(odd, x))).toBe(true);
    const both = [0, 1].map((device) => ({ kind: "dead" as const, device }));
    thrownBy("E_DEVICE_LOST", () => breakDuring(both, () => equal(a, x)));
  });

  it("refuses locals that are not what the layout says", () => {
    const a = distribute(x, { mesh, layout: rows });
    thrownBy("E_DESYNC", () => equal(a.withLocal(0, zeros([3])), x));
  });

  it("is at once through with tensors of 10^12 elements that share their parts", () => {
    const huge = distribute(zeros([1]).expand([1_000_000, 1_000_000]), { mesh });
    expect(equal(huge, huge)).toBe(true);
  });
});
