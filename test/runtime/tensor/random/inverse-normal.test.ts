import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inverseNormal } from "../../../../src/runtime/tensor/random/inverse-normal.ts";
import { divide, exactErfc, exactExp, fixed, multiply, pi, squareRoot } from "../math/exact.ts";

/** What is left of p when the chance below z is taken away, as a distance along z. */
function distance(z: number, p: number): number {
  const half = divide(fixed(z), squareRoot(fixed(2)));
  const below = exactErfc(-half) / 2n;
  const density = divide(exactExp(-multiply(fixed(z), fixed(z)) / 2n), root2Pi);
  return Number(divide(below - fixed(p), density) >> 1200n) / 2 ** 100;
}

const root2Pi = squareRoot(2n * pi());

const words = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 2 ** 31 - 1000, max: 2 ** 31 + 1000 }),
);
const chances = words.map((word) => (word + 0.5) * 2 ** -32);

describe("inverseNormal", () => {
  it("is right to a relative error of 1e-15", () => {
    fc.assert(
      fc.property(chances, (p) => {
        const z = inverseNormal(p);
        expect(Math.abs(distance(z, p) / z)).toBeLessThan(1e-15);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  it("is symmetric to the last bit", () => {
    fc.assert(
      fc.property(chances, (p) => {
        expect(inverseNormal(1 - p)).toBe(-inverseNormal(p));
      }),
    );
  });

  it("never falls where the formulae meet", () => {
    for (const seam of [0.075, 0.925, 0.5]) {
      const [before, at, after] = [seam * (1 - 1e-12), seam, seam * (1 + 1e-12)].map(inverseNormal);
      expect(before).toBeLessThan(at as number);
      expect(at).toBeLessThan(after as number);
    }
  });

  it("reaches 6.3 at the smallest chance that a word gives", () => {
    expect(inverseNormal(2 ** -33)).toBeCloseTo(-6.33, 1);
    expect(inverseNormal(0.5)).toBe(0);
  });
});
