import { describe, expect, it } from "vitest";
import { scaleOf } from "../../../web/src/ui/root-scale.ts";

describe("the size of what is painted", () => {
  it("grows with the words around it on a wall", () => {
    expect(scaleOf(22)).toBe(1.6);
    expect(scaleOf(17)).toBe(1.2);
  });

  it("is that of a laptop on a laptop, and never smaller", () => {
    expect([14, 14.13, 12].map(scaleOf)).toEqual([1, 1, 1]);
    expect(scaleOf(Number.NaN)).toBe(1);
  });
});
