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

const [m, k, n] = [24, 48, 40];

function pair(seed: number, shape = [m, k, n]): { a: Tensor; b: Tensor; c: Tensor } {
  const [rows = 0, inner = 0, columns = 0] = shape;
  const a = randn([rows, inner], { seed, stream: "a" });
  const b = randn([inner, columns], { seed, stream: "b" });
  return { a, b, c: ops.matmul(a, b) };
}

/** The tensor with changes at flat places. */
function withChanges(
  x: Tensor,
  changes: Readonly<Record<number, (value: number) => number>>,
): Tensor {
  const values = x.toNumbers();
  for (const [at, change] of Object.entries(changes)) {
    values[Number(at)] = change(values[Number(at)] as number);
  }
  return fromValues(values, { shape: x.shape, dtype: x.dtype });
}

function learnt(options: Partial<Parameters<typeof createMatmulChecker>[0]> = {}): MatmulChecker {
  const checker = createMatmulChecker({ rng: createRng(5), ...options });
  for (let seed = 100; seed < 112; seed++) {
    const { a, b, c } = pair(seed);
    checker.check(a, b, c);
  }
  return checker;
}

describe("the check of a product", () => {
  it("is inconclusive until it has learnt, then clean for right products", () => {
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnChecks: 3 } });
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
    checker.accept(check, a, b);
    expect(checker.check(a, b, wrong, {}).verdict).toBe("clean");
  });

  it("says nothing of rows whose operands are not finite", () => {
    const checker = learnt();
    const { a, b } = pair(9);
    const wild = withChanges(a, { [3 * k]: () => Number.POSITIVE_INFINITY });
    expect(checker.check(wild, b, ops.matmul(wild, b)).verdict).toBe("inconclusive");
  });

  it("is exact for zeros: any other number is wrong", () => {
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnChecks: 1 } });
    const [a, b, c] = [zeros([4, 8]), zeros([8, 4]), zeros([4, 4])];
    checker.check(a, b, c);
    expect(checker.check(a, b, c).verdict).toBe("clean");
    expect(checker.check(a, b, withChanges(c, { 6: () => 1e-20 }))).toMatchObject({
      verdict: "corrupt",
      rows: [{ index: 1 }],
    });
  });

  it("takes f64 and leading dimensions; refuses what is no product of these", () => {
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnChecks: 2 } });
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

describe("the check of a product that was rounded", () => {
  const short = (seed: number) => {
    const [a, b] = [
      randn([64, 64], { seed, dtype: "bf16" }),
      randn([64, 96], { seed, stream: "b", dtype: "bf16" }),
    ];
    return { a, b, c: ops.matmul(a, b) };
  };

  it("needs no learning: right products are clean at once", () => {
    const checker = createMatmulChecker({ rng: createRng(1) });
    for (let seed = 0; seed < 12; seed++) {
      const { a, b, c } = short(seed);
      expect(checker.check(a, b, c).verdict).toBe("clean");
    }
  });

  it("finds large errors and none below the rounding of a row", () => {
    const checker = createMatmulChecker({ rng: createRng(1) });
    const { a, b, c } = short(3);
    const large = withChanges(c, { 500: (value) => value + 64 });
    expect(checker.check(a, b, large)).toMatchObject({ verdict: "corrupt", rows: [{ index: 5 }] });
    const small = withChanges(c, { 500: (value) => value * (1 + 2 ** -7) });
    expect(checker.check(a, b, small).verdict).toBe("clean");
    const infinite = withChanges(c, { 500: () => Number.POSITIVE_INFINITY });
    expect(checker.check(a, b, infinite).verdict).toBe("corrupt");
  });

  it("is inconclusive in formats that nobody has measured", () => {
    const { a, b, c } = short(3);
    const checker = createMatmulChecker({ rng: createRng(1) });
    expect(checker.check(a, b, c.to("e4m3", { saturate: true })).verdict).toBe("inconclusive");
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
    const checker = createMatmulChecker({ rng: createRng(1), calibration: { learnChecks: 4 } });
    const [x, y] = [a.to("bf16"), b.to("bf16")];
    const verdicts = Array.from({ length: 8 }, () => checkedMatmul(x, y, { checker }));
    expect(verdicts.at(-1)).toMatchObject({ verdict: "clean" });
    expect(verdicts.at(-1)?.product.dtype).toBe("bf16");
    const small = wrongly({ 85: (value) => value * (1 + 2 ** -10) });
    expect(checkedMatmul(x, y, { checker, multiply: small }).verdict).toBe("corrupt");
  });
});
