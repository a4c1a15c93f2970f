import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { fromValues, ops, randn } from "../../../../src/runtime/tensor/index.ts";
import { createMatmulChecker } from "../../../../src/runtime/verify/checksums/index.ts";
import { withChanges } from "./products.ts";

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

  it("takes no roundings for an error that are all alike", () => {
    const checker = createMatmulChecker({ rng: createRng(5) });
    const a = fromValues(Array(64).fill(1), { shape: [1, 64], dtype: "bf16" });
    // Each element is 256.97, and rounds to 256.
    const values = Array.from({ length: 64 * 64 }, (_, at) => (at < 64 ? 4.96875 : 4));
    const b = fromValues(values, { shape: [64, 64], dtype: "bf16" });
    const c = ops.matmul(a, b);
    for (let at = 0; at < 500; at++) expect(checker.check(a, b, c).verdict).toBe("clean");
    const wrong = withChanges(c, { 9: (value) => value + 128 });
    expect(checker.check(a, b, wrong).verdict).toBe("corrupt");
    const ones = createMatmulChecker({ rng: createRng(5), weights: "ones" });
    expect(ones.check(a, b, c).verdict).toBe("inconclusive");
  });

  it("is inconclusive where sums may have overflowed, and knows an infinity that cannot be one", () => {
    const checker = createMatmulChecker({ rng: createRng(1) });
    const large = fromValues(Array(64).fill(200), { shape: [8, 8], dtype: "f16" });
    expect(checker.check(large, large, ops.matmul(large, large)).verdict).toBe("inconclusive");
    const small = fromValues(Array(64).fill(2), { shape: [8, 8], dtype: "f16" });
    const wrong = withChanges(ops.matmul(small, small), { 9: () => Number.POSITIVE_INFINITY });
    expect(checker.check(small, small, wrong)).toMatchObject({
      verdict: "corrupt",
      rows: [{ index: 1 }],
    });
  });

  it("is inconclusive where sums cancel so far that making them leaves more than rounding does", () => {
    const checker = createMatmulChecker({ rng: createRng(1) });
    const inner = 256;
    const rows = randn([16, inner], { seed: 1 }).toNumbers();
    const a = fromValues(
      rows.map((value) => 1e6 + value),
      { shape: [16, inner] },
    );
    const half = randn([inner / 2, 32], { seed: 2 }).toNumbers();
    const b = fromValues([...half, ...half.map((value) => -value)], { shape: [inner, 32] });
    expect(checker.check(a, b, ops.matmul(a, b, { dtype: "bf16" })).verdict).toBe("inconclusive");
  });

  it("is inconclusive in formats that nobody has measured", () => {
    const { a, b, c } = short(3);
    const checker = createMatmulChecker({ rng: createRng(1) });
    expect(checker.check(a, b, c.to("e4m3", { saturate: true })).verdict).toBe("inconclusive");
  });
});
