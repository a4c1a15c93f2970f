import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distribute, Mesh, shardSpec } from "../../../../src/runtime/dist/index.ts";
import {
  type DType,
  dtypeInfo,
  dtypes,
  fromValues,
  ops,
  randn,
  roundTo,
} from "../../../../src/runtime/tensor/index.ts";
import { allClose, toleranceTable } from "../../../../src/runtime/verify/closeness/index.ts";
import { ulpDistance } from "../../../../src/runtime/verify/equality/index.ts";
import { thrownBy } from "../../dist/mesh/thrown-by.ts";

const one = (value: number, dtype: DType = "f32") => fromValues([value], { dtype });

describe("allClose", () => {
  it("takes each dtype's row of the table: just within, and just beyond", () => {
    for (const dtype of dtypes) {
      const { atol, rtol, maxUlp } = toleranceTable[dtype];
      const far = roundTo(
        dtype,
        dtypeInfo(dtype).kind === "integer" ? 3 : 1 + 2 * (atol + rtol) + 0.26,
      );
      const near = roundTo(dtype, 1 + (atol + rtol) / 2);
      expect(allClose(one(1, dtype), one(near, dtype)).close, dtype).toBe(true);
      const found = allClose(one(1, dtype), one(far, dtype));
      expect(found.close, dtype).toBe(false);
      expect(found.tolerance).toEqual({ atol, rtol, maxUlp });
    }
    expect(allClose(one(3, "i32"), one(4, "i32")).close).toBe(false);
  });

  it("never allows more steps near 1 than rtol does", () => {
    for (const dtype of ["f64", "f32", "f16", "bf16", "e4m3", "e5m2"] as const) {
      const { rtol, maxUlp } = toleranceTable[dtype];
      const step = 2 ** (1 - dtypeInfo(dtype).precision);
      expect(maxUlp * step, dtype).toBeLessThanOrEqual(rtol);
    }
  });

  it("has the rule of atol, rtol and maxUlp, for random values", () => {
    const value = fc.double({ min: -100, max: 100, noNaN: true });
    const small = fc.double({ min: 0, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(value, value, small, small, fc.nat(1000), (x, y, atol, rtol, maxUlp) => {
        const [a, b] = [Math.fround(x), Math.fround(y)];
        const found = allClose(one(a), one(b), { atol, rtol, maxUlp });
        const isNear = Math.abs(a - b) <= atol + rtol * Math.max(Math.abs(a), Math.abs(b));
        const steps = ulpDistance(a, b, "f32") ?? -1n;
        expect(found.close).toBe(isNear || steps <= BigInt(maxUlp));
        expect(allClose(one(b), one(a), { atol, rtol, maxUlp }).close).toBe(found.close);
      }),
    );
  });

  it("sees the smallest difference where nothing is allowed", () => {
    const exact = { atol: 0 };
    expect(allClose(one(5e-324, "f64"), one(0, "f64"), exact).close).toBe(false);
    expect(allClose(one(0, "f64"), one(-0, "f64"), exact).close).toBe(true);
    expect(allClose(one(1), one(1 + 2 ** -23), { maxUlp: 1 }).close).toBe(true);
    expect(allClose(one(1), one(1 + 2 ** -22), { maxUlp: 1 }).close).toBe(false);
  });

  it("takes an infinity for close to itself alone, and NaN for close to nothing unless asked", () => {
    const [inf, max] = [Number.POSITIVE_INFINITY, Number.MAX_VALUE];
    expect(allClose(one(inf), one(inf)).close).toBe(true);
    expect(allClose(one(inf), one(-inf)).close).toBe(false);
    expect(allClose(one(inf, "f64"), one(max, "f64"), { maxUlp: 10 }).close).toBe(false);
    expect(allClose(one(Number.NaN), one(Number.NaN)).close).toBe(false);
    expect(allClose(one(Number.NaN), one(Number.NaN), { equalNaN: true }).close).toBe(true);
    expect(allClose(one(Number.NaN), one(1), { equalNaN: true, atol: 9 }).close).toBe(false);
  });

  it("holds numbers to the rule whose difference is too large for f64", () => {
    const [a, b] = [one(1.7e308, "f64"), one(-1.7e308, "f64")];
    expect(allClose(a, b, { rtol: 2 }).close).toBe(true);
    expect(allClose(a, b, { rtol: 1.9 }).close).toBe(false);
  });

  it("allows a product of k terms what its sums may lose, and no more", () => {
    const [a, b] = [randn([8, 4096], { seed: 1 }), randn([4096, 8], { seed: 2 })];
    const chain = ops.matmul(a, b);
    const exact = ops.matmul(a, b, { accumulate: "exact" });
    expect(allClose(chain, exact, { maxUlp: 1 }).close).toBe(false);
    expect(allClose(chain, exact, { op: "matmul", k: 4096 }).close).toBe(true);
    const wrong = ops.scale(exact, 1.01);
    expect(allClose(chain, wrong, { op: "matmul", k: 4096 }).close).toBe(false);
    expect(allClose(chain, exact, { op: "matmul", k: 4096 }).tolerance?.rtol).toBeCloseTo(
      64e-5,
      10,
    );
    const short = allClose(exact.to("bf16"), wrong.to("bf16"), { op: "matmul", k: 4096 });
    expect(short.tolerance?.rtol).toBeCloseTo(0.015 + 63e-5, 10);
    expect(short.tolerance?.maxUlp).toBe(1);
  });

  it("answers with the worst element and why", () => {
    const a = fromValues([1, 2, 3, 4], { shape: [2, 2] });
    const b = fromValues([1, 2.1, 3.9, 4], { shape: [2, 2] });
    const found = allClose(a, b);
    expect(found).toMatchObject({ close: false, beyond: 2, elements: 4 });
    expect(found.worst).toMatchObject({ index: [1, 0], a: 3, path: "" });
    expect(found.reason).toContain("2 of 4 elements are not close; worst at [1, 0] 3 against 3.9");
    expect(allClose(a, a)).toEqual({
      close: true,
      reason: "4 elements are equal",
      elements: 4,
      beyond: 0,
    });
  });

  it("compares other dtypes by the coarser one, and refuses other shapes with a reason", () => {
    const x = randn([40], { seed: 3 });
    expect(allClose(x, x.to("bf16")).close).toBe(true);
    expect(allClose(x, x.to("bf16"), { dtype: "f32" }).close).toBe(false);
    const found = allClose({ w: x }, { w: x.reshape([4, 10]) });
    expect(found).toMatchObject({ close: false, reason: "w: [40] against [4, 10]" });
  });

  it("walks records, and holds numbers to f64", () => {
    const x = randn([4], { seed: 3 });
    expect(allClose({ w: x, lr: 0.1 + 0.2, n: "a" }, { w: x, lr: 0.3, n: "a" }).close).toBe(true);
    expect(allClose({ lr: 0.3001 }, { lr: 0.3 }).worst?.path).toBe("lr");
    expect(allClose({ n: "a" }, { n: "b" }).close).toBe(false);
    expect(allClose({ n: 1 }, {}).reason).toBe("n: only a has it");
  });

  it("compares every replica, in any layout", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], shape: [2, 2], devices: 4 });
    const x = randn([4, 6], { seed: 3 });
    const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
    const y = distribute(x, { mesh, layout: rows });
    expect(allClose(x, y).close).toBe(true);
    expect(allClose(y.withBitFlip({ rank: 3, index: 2, bit: 0 }), x).close).toBe(true);
    const odd = allClose(x, y.withBitFlip({ rank: 3, index: 2, bit: 30 }));
    expect(odd).toMatchObject({ close: false, beyond: 1, worst: { index: [2, 2] } });
    const torn = y.withBitFlip({ rank: 3, index: 2, bit: 30 });
    const far = randn([4, 6], { seed: 4 });
    expect(allClose(far, torn).beyond).toBe(allClose(far, x).beyond + 1);
    expect(allClose(torn, far).beyond).toBe(allClose(far, x).beyond + 1);
  });

  it("refuses options that say nothing", () => {
    const x = one(1);
    thrownBy("E_VERIFY", () => allClose(x, x, { atol: -1 }));
    thrownBy("E_VERIFY", () => allClose(x, x, { rtol: Number.NaN }));
    for (const name of ["atol", "rtol", "maxUlp"]) {
      thrownBy("E_VERIFY", () => allClose(x, one(2), { [name]: Number.POSITIVE_INFINITY }));
    }
    thrownBy("E_VERIFY", () => allClose(x, x, { op: "matmul" }));
    thrownBy("E_VERIFY", () => allClose(x, x, { op: "matmul", k: 1.5 }));
    thrownBy("E_VERIFY", () => allClose(x, x, { op: "matmul", k: 4, atol: 1 }));
  });
});
