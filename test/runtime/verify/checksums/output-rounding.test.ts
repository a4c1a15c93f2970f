import { describe, expect, it } from "vitest";
import { randn } from "../../../../src/runtime/tensor/index.ts";
import { dataOf } from "../../../../src/runtime/verify/checksums/data-of.ts";
import { zForChecks, zForRows } from "../../../../src/runtime/verify/checksums/index.ts";
import {
  roundingNorms,
  roundingSquare,
  sumRoundings,
} from "../../../../src/runtime/verify/checksums/output-rounding.ts";

describe("zForChecks", () => {
  it.each([
    [1e6, 4.75],
    [1e8, 5.61],
    [8.8e9, 6.34],
  ])(
    "for one false alarm in %s checks counts the published deviations, on one side",
    (checks, z) => {
      expect(zForChecks(checks, { tails: 1 })).toBeCloseTo(z, 1);
    },
  );

  it("needs more for both sides, for more checks, and less where more alarms are allowed", () => {
    expect(zForChecks(1e6)).toBeGreaterThan(zForChecks(1e6, { tails: 1 }));
    expect(zForChecks(1e12)).toBeGreaterThan(zForChecks(1e9));
    expect(zForChecks(1e9, { falseAlarms: 100 })).toBeLessThan(zForChecks(1e9));
    expect(zForChecks(1e14, { tails: 1 })).toBeCloseTo(7.65, 1);
  });
});

describe("what rounding leaves in a row", () => {
  it.each(["bf16", "f16"] as const)("is at most what it is for no number of %s", (dtype) => {
    const exact = randn([4, 256], { seed: 3, dtype: "f64" });
    const short = dataOf(exact.to(dtype)) as Float32Array;
    const norms = roundingNorms(short, { rows: 4, columns: 256 }, dtype);
    const values = exact.toNumbers();
    for (const [row, norm] of norms.entries()) {
      let [off, most] = [0, 0];
      for (let at = 256 * row; at < 256 * (row + 1); at++) {
        const half = Math.sqrt(roundingSquare(short[at] as number, dtype));
        const error = Math.abs((short[at] as number) - (values[at] as number));
        expect(error).toBeLessThanOrEqual(half);
        off += error ** 2;
        most += half ** 2;
      }
      expect(norm).toBeCloseTo(Math.sqrt(most), 12);
      // Errors anywhere within half a step are a third of its square.
      expect(norm / Math.sqrt(off)).toBeGreaterThan(1.5);
      expect(norm / Math.sqrt(off)).toBeLessThan(2);
    }
  });

  it("counts small numbers with the smallest step, and infinities with an infinite one", () => {
    expect(roundingSquare(0, "f16")).toBe(2 ** -50);
    expect(roundingSquare(1, "f16")).toBe(2 ** -22);
    expect(roundingSquare(1.99, "bf16")).toBe(2 ** -16);
    expect(roundingSquare(Number.NEGATIVE_INFINITY, "bf16")).toBe(Number.POSITIVE_INFINITY);
  });

  it("needs a little more than normal deviations, as signs are not normal", () => {
    expect(zForRows(1e9)).toBeGreaterThan(zForChecks(1e9));
    expect(zForRows(1e9)).toBeLessThan(Math.sqrt(2 * Math.log(2e9)));
  });

  it("follows sums of as many roundings as are likely, and of no more than there are", () => {
    expect(sumRoundings(16)).toBe(17);
    expect(sumRoundings(1024)).toBe(256);
  });
});
