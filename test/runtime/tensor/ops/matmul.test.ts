import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import { type DType, roundTo } from "../../../../src/runtime/tensor/dtype/index.ts";
import { matmul, matmulBackward } from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { hardMatrices } from "./arbitrary.ts";

/** The chain as documented, one step at a time, before the last rounding. */
function chain(a: Tensor, b: Tensor): number[] {
  const round = a.dtype === "f64" ? (value: number) => value : Math.fround;
  const [m = 0, k = 0] = a.shape;
  const n = b.shape[1] ?? 0;
  return Array.from({ length: m * n }, (_, at) => {
    let total = 0;
    for (let i = 0; i < k; i++) {
      const product = round(a.at(Math.floor(at / n), i) * b.at(i, at % n));
      total = round(total + product);
    }
    return total;
  });
}

describe("a product", () => {
  it.each(["f64", "f32", "bf16", "f16", "e4m3", "e5m2"] as const)(
    "of %s is the chain over k, rounded once more",
    (dtype: DType) => {
      fc.assert(
        fc.property(hardMatrices(dtype), ({ m, k, n, a, b }) => {
          const left = fromValues(Float64Array.from(a), { shape: [m, k], dtype });
          const right = fromValues(Float64Array.from(b), { shape: [k, n], dtype });
          const expected = chain(left, right);
          const product = matmul(left, right);
          expect(product.dtype).toBe(dtype);
          expect([...product.toNumbers()]).toEqual(expected.map((value) => roundTo(dtype, value)));
          if (dtype !== "f64") {
            expect([...matmul(left, right, { dtype: "f32" }).toNumbers()]).toEqual(expected);
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it("is the chain where it is large enough for the fast kernels, ragged sizes too", () => {
    const a = randn([37, 61], { seed: 1 });
    const b = randn([61, 43], { seed: 2 });
    expect([...matmul(a, b).toNumbers()]).toEqual(chain(a, b));
  });

  it("takes views as they are", () => {
    const a = randn([5, 7], { seed: 1 });
    const b = randn([5, 3], { seed: 2 });
    const product = matmul(a.transpose(), b.slice([null, { start: 1 }]));
    expect([...product.toNumbers()]).toEqual(chain(a.transpose(), b.slice([null, { start: 1 }])));
  });

  it("of nothing is +0, and of no rows is nothing", () => {
    expect(matmul(randn([2, 0]), randn([0, 2])).toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(matmul(randn([0, 3]), randn([3, 2])).shape).toEqual([0, 2]);
  });

  it("has one NaN, whichever way it came about", () => {
    const nan = matmul(fromValues([[NaN]]), fromValues([[1]]));
    const made = matmul(fromValues([[Infinity, -Infinity]]), fromValues([[1], [1]]));
    const times = matmul(fromValues([[0]]), fromValues([[-Infinity]]));
    expect(made.digest()).toBe(nan.digest());
    expect(times.digest()).toBe(nan.digest());
  });

  it("grows leading dimensions to each other", () => {
    const a = randn([2, 1, 3, 4], { seed: 1 });
    const b = randn([5, 4, 2], { seed: 2 });
    const product = matmul(a, b);
    expect(product.shape).toEqual([2, 5, 3, 2]);
    expect(product.slice([1, 3]).digest()).toBe(matmul(a.slice([1, 0]), b.slice([3])).digest());
  });

  it("is refused where k differs, for vectors, mixed dtypes and integers", () => {
    const shape = expect.objectContaining({ code: "E_SHAPE" });
    const dtype = expect.objectContaining({ code: "E_DTYPE" });
    expect(() => matmul(randn([2, 3]), randn([4, 2]))).toThrow(shape);
    expect(() => matmul(randn([3]), randn([3, 2]))).toThrow(shape);
    expect(() => matmul(randn([2, 2, 3]), randn([3, 3, 2]))).toThrow(shape);
    expect(() => matmul(randn([2, 3]), randn([3, 2], { dtype: "bf16" }))).toThrow(dtype);
    const whole = fromValues([[1]], { dtype: "i32" });
    expect(() => matmul(whole, whole)).toThrow(dtype);
  });
});

describe("a product that is split", () => {
  const a = randn([24, 16], { seed: 1 });
  const b = randn([16, 18], { seed: 2 });
  const whole = matmul(a, b);

  it("over rows has the bits of the whole", () => {
    fc.assert(
      fc.property(fc.nat(23), fc.integer({ min: 1, max: 24 }), (start, count) => {
        const range = { start, stop: Math.min(start + count, 24) };
        expect(matmul(a.slice([range]), b).digest()).toBe(whole.slice([range]).digest());
      }),
      { numRuns: 30 },
    );
  });

  it("over columns, as in a column-parallel layer, has the bits of the whole", () => {
    for (const [start, stop] of [
      [0, 6],
      [6, 12],
      [12, 18],
    ]) {
      const range = [null, { start: start as number, stop: stop as number }];
      expect(matmul(a, b.slice(range)).digest()).toBe(whole.slice(range).digest());
    }
  });

  it("over k, rounded per part, has other bits: that is what exact products are for", () => {
    const part = (start: number, stop: number): Float64Array =>
      matmul(a.slice([null, { start, stop }]), b.slice([{ start, stop }])).toNumbers();
    const first = part(0, 8);
    const second = part(8, 16);
    const sums = first.map((value, i) => Math.fround(value + (second[i] as number)));
    expect([...sums]).not.toEqual([...whole.toNumbers()]);
  });

  it("weight gradients are summed over the rows in ascending order", () => {
    const g = randn([2, 3, 4], { seed: 3 });
    const x = randn([2, 3, 5], { seed: 4 });
    const gradient = matmulBackward(g, [x, randn([5, 4])]).b;
    const rows = x.reshape([6, 5]).transpose();
    expect([...gradient.toNumbers()]).toEqual(chain(rows, g.reshape([6, 4])));
  });
});
