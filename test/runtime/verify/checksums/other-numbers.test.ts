import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { fromValues, ops, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { createMatmulChecker } from "../../../../src/runtime/verify/checksums/index.ts";
import { pair, withChanges } from "./products.ts";

describe("numbers that the check of a product has not learnt from", () => {
  const size = [24, 512, 24] as const;
  const sized = (seed: number) => pair(seed, [...size]);
  const checker = createMatmulChecker({ rng: createRng(5), calibration: { learnLines: 192 } });
  const positive = (x: Tensor) => fromValues(x.toNumbers().map(Math.abs), { shape: x.shape });
  for (let seed = 100; seed < 110; seed++) {
    const { a, b } = sized(seed);
    checker.check(a, b, ops.matmul(a, b));
    checker.check(a, positive(b), ops.matmul(a, positive(b)), { operator: "positive" });
  }
  const { a, b, c } = sized(7);

  it("make it inconclusive, not corrupt: one huge number in a row", () => {
    const wild = withChanges(a, { [3 * size[1]]: () => 1e6 });
    const found = checker.check(wild, b, ops.matmul(wild, b));
    expect(found).toMatchObject({ verdict: "inconclusive", rows: [], columns: [] });
    expect(found.ratio).toBeGreaterThan(found.kappa ?? Number.POSITIVE_INFINITY);
    // An error among such numbers is one nevertheless.
    const wrong = withChanges(ops.matmul(wild, b), { [3 * size[2] + 5]: (value) => value + 1e5 });
    expect(checker.check(wild, b, wrong)).toMatchObject({ verdict: "corrupt" });
  });

  it("make it inconclusive, not corrupt: the same numbers, sorted", () => {
    const rows = a.toNumbers();
    for (let row = 0; row < size[0]; row++) {
      rows.subarray(row * size[1], (row + 1) * size[1]).sort();
    }
    const [x, y] = [fromValues(rows, { shape: a.shape }), positive(b)];
    const operator = "positive";
    expect(checker.check(x, y, ops.matmul(x, y), { operator }).verdict).toBe("inconclusive");
    expect(checker.check(a, y, ops.matmul(a, y), { operator }).verdict).toBe("clean");
  });

  it("are no excuse: an error little above the threshold is corrupt among usual numbers", () => {
    const { kappa = 0 } = checker.check(a, b, c);
    const scale = (0.8 * size[1] * size[2] * 2 ** -24) / 1.25;
    const small = withChanges(c, { 30: (value) => value + 2.5 * kappa * scale });
    const found = checker.check(a, b, small);
    expect(found).toMatchObject({ verdict: "corrupt", rows: [{ index: 1 }] });
    expect(found.ratio).toBeLessThan(4 * kappa);
  });
});
