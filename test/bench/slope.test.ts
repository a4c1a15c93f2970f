import { describe, expect, it } from "vitest";
import { slopeOf } from "../../bench/chaos/slope.ts";

describe("a slope", () => {
  it("is what a straight line grows by, and nothing of what stays", () => {
    expect(slopeOf([5, 8, 11, 14])).toBe(3);
    expect(slopeOf([7, 7, 7])).toBe(0);
    expect(slopeOf([9, 5])).toBe(-4);
  });

  it("is not that of the two ends where others lie between", () => {
    expect(slopeOf([0, 10, 10, 0])).toBe(0);
  });

  it("needs two values", () => {
    expect(() => slopeOf([1])).toThrow("two values");
  });
});
