import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../../src/runtime/tensor/create.ts";
import {
  add,
  ExactTensor,
  matmul,
  matmulExact,
} from "../../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../../src/runtime/tensor/tensor.ts";
import { hardMatrices } from "../arbitrary.ts";
import { exactProduct, formats, nearest } from "../big-number.ts";

const runs = { numRuns: 60 };

/** The correctly rounded product by exact arithmetic; of zero, +0. */
function expected(
  { m, k, n, a, b }: { m: number; k: number; n: number; a: number[]; b: number[] },
  format: (typeof formats)[keyof typeof formats],
): number[] {
  return Array.from({ length: m * n }, (_, at) => {
    const row = Math.floor(at / n);
    let sum = 0n;
    for (let i = 0; i < k; i++) {
      sum += exactProduct(a[row * k + i] as number, b[i * n + (at % n)] as number);
    }
    return sum === 0n ? 0 : nearest(sum, format);
  });
}

function matrices(
  { m, k, n, a, b }: { m: number; k: number; n: number; a: number[]; b: number[] },
  dtype: "f64" | "f32" | "bf16" | "f16",
): [Tensor, Tensor] {
  return [
    fromValues(Float64Array.from(a), { shape: [m, k], dtype }),
    fromValues(Float64Array.from(b), { shape: [k, n], dtype }),
  ];
}

describe("an exact product", () => {
  it.each(["f64", "f32", "bf16", "f16"] as const)("of %s is the correctly rounded one", (dtype) => {
    fc.assert(
      fc.property(hardMatrices(dtype), (given) => {
        const [a, b] = matrices(given, dtype);
        const product = matmul(a, b, { accumulate: "exact" });
        expect([...product.toNumbers()]).toEqual(expected(given, formats[dtype]));
      }),
      runs,
    );
  });

  it("can be rounded to another dtype, once", () => {
    fc.assert(
      fc.property(hardMatrices("f32"), (given) => {
        const [a, b] = matrices(given, "f32");
        for (const dtype of ["f64", "bf16", "f16"] as const) {
          const product = matmul(a, b, { accumulate: "exact", dtype });
          expect([...product.toNumbers()]).toEqual(expected(given, formats[dtype]));
        }
      }),
      runs,
    );
  });

  it.each([1, -1])("of f64 sees a product below every double, here with sign %i", (sign) => {
    const a = fromValues([[1, 2 ** -11, 2 ** -1050]], { dtype: "f64" });
    const b = fromValues([[1], [1], [sign * 2 ** -1050]], { dtype: "f64" });
    const product = matmul(a, b, { accumulate: "exact", dtype: "f16" });
    expect(product.item()).toBe(sign > 0 ? 1 + 2 ** -10 : 1);
  });

  it("is not what a chain gives where terms cancel", () => {
    const a = fromValues([[1e8, 1, -1e8, 1]]);
    const b = fromValues([[1], [1], [1], [1]]);
    expect(matmul(a, b, { accumulate: "exact" }).item()).toBe(2);
    expect(matmul(a, b).item()).toBe(1);
  });

  it.each([
    [[Infinity, 1], [1, 1], Infinity],
    [[Infinity, -Infinity], [1, 1], NaN],
    [[Infinity, 5], [0, 1], NaN],
    [[NaN, 1], [1, 1], NaN],
    [[3.4e38, 3.4e38], [3.4e38, 1], Infinity],
    [[-0, -0], [1, 1], 0],
  ])("of %j and %j is %d", (left, right, result) => {
    const a = fromValues([left]);
    const b = fromValues(right.map((value) => [value]));
    expect(matmul(a, b, { accumulate: "exact" }).item()).toBe(result);
  });

  it("of batches is the product of each", () => {
    const a = randn([3, 2, 5], { seed: 1 });
    const b = randn([3, 5, 4], { seed: 2 });
    const all = matmul(a, b, { accumulate: "exact" });
    for (let i = 0; i < 3; i++) {
      const one = matmul(a.slice([i]), b.slice([i]), { accumulate: "exact" });
      expect(all.slice([i]).digest()).toBe(one.digest());
    }
  });
});

describe("a product that is split along the dimension it sums over", () => {
  const splits = fc.tuple(hardMatrices("f32"), fc.array(fc.nat(12), { maxLength: 4 }));

  function parts(given: { k: number }, cuts: readonly number[]): [number, number][] {
    const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, given.k)), given.k])];
    const sorted = places.toSorted((x, y) => x - y);
    return sorted.slice(1).map((stop, i) => [sorted[i] as number, stop]);
  }

  it("has the limbs of the whole, whatever the split and the order", () => {
    fc.assert(
      fc.property(splits, ([given, cuts]) => {
        const [a, b] = matrices(given, "f32");
        const whole = matmulExact(a, b);
        const shards = parts(given, cuts).map(([start, stop]) =>
          matmulExact(a.slice([null, { start, stop }]), b.slice([{ start, stop }])),
        );
        for (const order of [shards, shards.toReversed()]) {
          const sum = order.reduce((one, other) => one.plus(other));
          expect(sum.limbs.digest()).toBe(whole.limbs.digest());
          expect(sum.round("f32").digest()).toBe(matmul(a, b, { accumulate: "exact" }).digest());
        }
      }),
      runs,
    );
  });

  it("can be put together by adding limbs as ordinary f64 tensors", () => {
    const a = randn([4, 64], { seed: 3 });
    const b = randn([64, 4], { seed: 4 });
    const shards = Array.from({ length: 8 }, (_, i) => {
      const range = { start: 8 * i, stop: 8 * (i + 1) };
      return matmulExact(a.slice([null, range]), b.slice([range])).limbs;
    });
    const tree = [0, 2, 4, 6].map((i) => add(shards[i] as Tensor, shards[i + 1] as Tensor));
    const sums = [shards.reduce(add), tree.reduceRight(add)];
    for (const limbs of sums) {
      const product = ExactTensor.fromLimbs(limbs, { dtype: "f32" }).round("f32");
      expect(product.digest()).toBe(matmul(a, b, { accumulate: "exact" }).digest());
    }
  });

  it("loses bits when the parts are rounded first, even to f64", () => {
    const a = fromValues([[1, 2 ** -24, 2 ** -80]]);
    const b = fromValues([[1], [1], [1]]);
    const part = (start: number, stop: number): number =>
      matmul(a.slice([null, { start, stop }]), b.slice([{ start, stop }]), {
        accumulate: "exact",
        dtype: "f64",
      }).item();
    // Just above halfway between two f32 values; in f64 the last term is lost.
    expect(matmul(a, b, { accumulate: "exact" }).item()).toBe(1 + 2 ** -23);
    expect(Math.fround(part(0, 2) + part(2, 3))).toBe(1);
  });

  it("carries Inf and NaN along", () => {
    const one = matmulExact(fromValues([[Infinity]]), fromValues([[1]]));
    const other = matmulExact(fromValues([[-Infinity]]), fromValues([[1]]));
    const plain = matmulExact(fromValues([[7]]), fromValues([[1]]));
    expect(one.plus(plain).round("f32").item()).toBe(Infinity);
    expect(one.plus(other).round("f32").item()).toBeNaN();
  });

  it("is refused when shapes, dtypes or limbs do not match", () => {
    const one = matmulExact(randn([2, 3]), randn([3, 2]));
    const other = matmulExact(randn([2, 3]), randn([3, 1]));
    const wide = matmulExact(randn([2, 3], { dtype: "f64" }), randn([3, 2], { dtype: "f64" }));
    expect(() => one.plus(other)).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    expect(() => one.plus(wide)).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    expect(() => ExactTensor.fromLimbs(wide.limbs, { dtype: "f32" })).toThrow(
      expect.objectContaining({ code: "E_SHAPE" }),
    );
  });
});
