import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import {
  fromValues,
  ops,
  randn,
  type Tensor,
  zeros,
} from "../../../../src/runtime/tensor/index.ts";
import {
  checkedMatmul,
  createMatmulChecker,
  type MatmulChecker,
} from "../../../../src/runtime/verify/checksums/index.ts";
import { k, m, n, pair, withChanges } from "./products.ts";

function learnt(options: Partial<Parameters<typeof createMatmulChecker>[0]> = {}): MatmulChecker {
  const calibration = { learnLines: 256 };
  const checker = createMatmulChecker({ rng: createRng(5), calibration, ...options });
  for (let seed = 100; seed < 112; seed++) {
    const { a, b, c } = pair(seed);
    checker.check(a, b, c);
  }
  return checker;
}

describe("the check of a product", () => {
  it("is inconclusive until it has learnt, then clean for right products", () => {
    const checker = createMatmulChecker({
      rng: createRng(1),
      calibration: { learnChecks: 3, learnLines: 64 },
    });
    const verdicts = Array.from({ length: 30 }, (_, seed) => {
      const { a, b, c } = pair(seed);
      return checker.check(a, b, c).verdict;
    });
    expect(verdicts.slice(0, 3)).toEqual(["inconclusive", "inconclusive", "inconclusive"]);
    expect(verdicts.slice(8).every((verdict) => verdict === "clean")).toBe(true);
  });

  it("names the row and the column of a single error", () => {
    const checker = learnt();
    fc.assert(
      fc.property(
        fc.nat(m - 1),
        fc.nat(n - 1),
        fc.constantFrom(1, -0.25, 1e30),
        (row, column, by) => {
          const { a, b, c } = pair(7);
          const found = checker.check(
            a,
            b,
            withChanges(c, { [row * n + column]: (value) => value + by }),
          );
          expect(found.verdict).toBe("corrupt");
          expect(found.rows.map(({ index }) => index)).toEqual([row]);
          expect(found.columns.map(({ index }) => index)).toEqual([column]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("knows errors that no rounding leaves without having learnt anything", () => {
    const { a, b, c } = pair(3);
    const checker = createMatmulChecker({ rng: createRng(1) });
    const wrong = withChanges(c, { 85: () => 1000, 90: () => Number.NaN });
    expect(checker.check(a, b, wrong)).toMatchObject({
      verdict: "corrupt",
      kappa: undefined,
      rows: [{ index: 2 }],
    });
  });

  it("misses errors that cancel where both columns have the same sign, and with more trials rarely", () => {
    const miss = (trials: number, weights: "signs" | "ones" = "signs") => {
      const checker = learnt({ trials, weights });
      const { a, b, c } = pair(7);
      const wrong = withChanges(c, { 3: (value) => value + 1, 9: (value) => value - 1 });
      const missed = Array.from({ length: 60 }, () => checker.check(a, b, wrong).verdict);
      return missed.filter((verdict) => verdict === "clean").length / 60;
    };
    expect(miss(1, "ones")).toBe(1);
    expect(miss(1)).toBeGreaterThan(0.25);
    expect(miss(1)).toBeLessThan(0.75);
    expect(miss(6)).toBeLessThan(0.15);
  });

  it("keeps thresholds of operators apart, and learns anew from other numbers", () => {
    const checker = learnt();
    const { a, b, c } = pair(9);
    expect(checker.check(a, b, c, { operator: "other" }).verdict).toBe("inconclusive");
    expect(checker.check(a, b, c).verdict).toBe("clean");
    const cubes = fromValues(
      a.toNumbers().map((value) => value ** 5),
      { shape: a.shape },
    );
    expect(checker.check(cubes, b, ops.matmul(cubes, b)).verdict).toBe("inconclusive");
  });

  it("raises the threshold when what it called corrupt is accepted", () => {
    const checker = learnt();
    const { a, b, c } = pair(9);
    const wrong = withChanges(c, { 5: (value) => value * (1 + 2 ** -13) });
    const check = checker.check(a, b, wrong);
    expect(check.verdict).toBe("corrupt");
    expect(checker.accept(check)).toBe(true);
    expect(checker.check(a, b, wrong, {}).verdict).toBe("clean");
  });

  it("raises the threshold of columns too, and none for a product that was rounded", () => {
    const checker = learnt();
    const { a, b, c } = pair(9);
    const small = withChanges(c, { 5: (value) => value * (1 + 2 ** -16) });
    const both = { columns: true };
    const found = checker.check(a, b, small, both);
    expect(found).toMatchObject({ verdict: "corrupt", columns: [{ index: 5 }] });
    checker.accept(found);
    expect(checker.check(a, b, small, both).verdict).toBe("clean");
    const large = withChanges(c, { 5: (value) => value + 50 });
    const rounded = checker.check(a, b, large.to("bf16"));
    expect(rounded.verdict).toBe("corrupt");
    expect(checker.accept(rounded)).toBe(false);
    const infinite = withChanges(c, { 5: () => Number.POSITIVE_INFINITY });
    expect(checker.accept(checker.check(a, b, infinite))).toBe(false);
    const wrong = withChanges(c, { 5: (value) => value + 0.01 });
    expect(checker.check(a, b, wrong).verdict).toBe("corrupt");
  });

  it("is not clean where columns are asked for of which it has learnt nothing yet", () => {
    const checker = createMatmulChecker({
      rng: createRng(1),
      calibration: { learnChecks: 2, learnLines: 3 * m },
    });
    const tall = (seed: number) => pair(seed, [m, k, 4]);
    const check = (seed: number, columns: boolean) => {
      const { a, b, c } = tall(seed);
      return checker.check(a, b, c, { columns });
    };
    for (let seed = 0; seed < 4; seed++) check(seed, false);
    expect(check(5, false).verdict).toBe("clean");
    expect(check(6, true)).toMatchObject({ verdict: "inconclusive", reason: /columns/ });
  });

  it("says nothing of rows whose operands are not finite", () => {
    const checker = learnt();
    const { a, b } = pair(9);
    const wild = withChanges(a, { [3 * k]: () => Number.POSITIVE_INFINITY });
    expect(checker.check(wild, b, ops.matmul(wild, b)).verdict).toBe("inconclusive");
  });

  it("learns nothing from products of which no row is finite", () => {
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnLines: 24 } });
    for (let seed = 0; seed < 12; seed++) {
      const { a, b } = pair(seed);
      const wild = withChanges(b, { 0: () => Number.NaN });
      expect(checker.check(a, wild, ops.matmul(a, wild)).verdict).toBe("inconclusive");
    }
    const { a, b, c } = pair(50);
    expect(checker.check(a, b, c).verdict).toBe("inconclusive");
  });

  it("is inconclusive where products that were exact are rounded now", () => {
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnLines: 24 } });
    const whole = (seed: number, by: number) =>
      fromValues(
        randn([m, m], { seed })
          .toNumbers()
          .map((value) => by * Math.round(3 * value)),
        { shape: [m, m] },
      );
    const verdictOf = (seed: number, by: number) => {
      const [a, b] = [whole(seed, by), whole(seed + 100, by)];
      return checker.check(a, b, ops.matmul(a, b)).verdict;
    };
    for (let seed = 0; seed < 12; seed++) verdictOf(seed, 1);
    expect(verdictOf(20, 1)).toBe("clean");
    expect(verdictOf(21, 0.1)).toBe("inconclusive");
  });

  it("is exact for zeros: any other number is wrong", () => {
    const checker = createMatmulChecker({
      rng: createRng(1),
      calibration: { learnChecks: 1, learnLines: 1 },
    });
    const [a, b, c] = [zeros([4, 8]), zeros([8, 4]), zeros([4, 4])];
    checker.check(a, b, c);
    expect(checker.check(a, b, c).verdict).toBe("clean");
    expect(checker.check(a, b, withChanges(c, { 6: () => 1e-20 }))).toMatchObject({
      verdict: "corrupt",
      rows: [{ index: 1 }],
    });
  });

  it("takes f64 and leading dimensions; refuses what is no product of these", () => {
    const checker = createMatmulChecker({
      rng: createRng(1),
      calibration: { learnChecks: 2, learnLines: 48 },
    });
    const verdicts = Array.from({ length: 6 }, (_, seed) => {
      const a = randn([2, 12, 32], { dtype: "f64", seed, stream: "a" });
      const b = randn([32, 16], { dtype: "f64", seed, stream: "b" });
      return checker.check(a, b, ops.matmul(a, b)).verdict;
    });
    expect(verdicts.at(-1)).toBe("clean");
    const { a, b, c } = pair(1);
    expect(() => checker.check(a, b, c.transpose())).toThrow("their product");
    expect(() => checker.check(a, a, c)).toThrow("their product");
  });
});

describe("checkedMatmul", () => {
  const { a, b } = pair(9);
  const right = ops.matmul(a, b);
  const wrongly =
    (changes: Readonly<Record<number, (value: number) => number>>) => (x: Tensor, y: Tensor) =>
      withChanges(ops.matmul(x, y, { dtype: "f32" }), changes);

  it("gives the product of `ops.matmul`, and says that it is clean", () => {
    const got = checkedMatmul(a, b, { checker: learnt() });
    expect(got).toMatchObject({ verdict: "clean", rows: [], columns: [] });
    expect(got.product.digest()).toBe(right.digest());
    expect(got.corrected).toBeUndefined();
  });

  it("puts a single wrong element right, bit for bit", () => {
    const checker = learnt();
    for (const value of [77, Number.NaN, -1e30]) {
      const got = checkedMatmul(a, b, { checker, multiply: wrongly({ 85: () => value }) });
      expect(got.verdict).toBe("corrupt");
      expect(got.corrected).toMatchObject({ row: 2, column: 5, is: right.at(2, 5) });
      expect(got.product.digest()).toBe(right.digest());
    }
  });

  it("refuses to put right what is wrong in several places, and when it is told not to", () => {
    const checker = learnt();
    const multiply = wrongly({ 85: () => 77, 300: () => -3 });
    const got = checkedMatmul(a, b, { checker, multiply });
    expect(got.corrected).toBeUndefined();
    expect(got.reason).toContain("2 rows and 2 columns are wrong");
    expect(got.product.digest()).not.toBe(right.digest());
    const told = checkedMatmul(a, b, {
      checker,
      multiply: wrongly({ 85: () => 77 }),
      correct: false,
    });
    expect(told).toMatchObject({ verdict: "corrupt", rows: [{ index: 2 }] });
    expect(told.corrected).toBeUndefined();
  });

  it("checks the sums before they are rounded to the dtype that is asked for", () => {
    const checker = createMatmulChecker({
      rng: createRng(1),
      calibration: { learnChecks: 4, learnLines: 96 },
    });
    const [x, y] = [a.to("bf16"), b.to("bf16")];
    const verdicts = Array.from({ length: 8 }, () => checkedMatmul(x, y, { checker }));
    expect(verdicts.at(-1)).toMatchObject({ verdict: "clean" });
    expect(verdicts.at(-1)?.product.dtype).toBe("bf16");
    const small = wrongly({ 85: (value) => value * (1 + 2 ** -10) });
    expect(checkedMatmul(x, y, { checker, multiply: small }).verdict).toBe("corrupt");
  });
});
