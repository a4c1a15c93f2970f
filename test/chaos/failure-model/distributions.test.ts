import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChance } from "../../../src/chaos/chance/index.ts";
import {
  gamma,
  logNormalSigma,
  logUniform,
  waitingTimes,
} from "../../../src/chaos/failure-model/distributions.ts";

const draws = 40_000;
const drawn = (draw: (index: number) => number) => Array.from({ length: draws }, (_, i) => draw(i));
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe("distributions", () => {
  it("knows the gamma function", () => {
    expect(gamma(0.5)).toBeCloseTo(Math.sqrt(Math.PI), 12);
    expect(gamma(5)).toBeCloseTo(24, 9);
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 20, noNaN: true }), (x) => {
        expect(gamma(x + 1) / gamma(x)).toBeCloseTo(x, 8);
      }),
    );
    expect(() => gamma(0)).toThrow("above 0");
  });

  it.each([0.5, 0.75, 1, 2])("waits 1 on average with shape %d", (shape) => {
    const stream = createChance("w").stream("wait");
    const wait = waitingTimes(shape);
    expect(mean(drawn(() => wait(stream)))).toBeCloseTo(1, 1);
  });

  it("comes in bursts below shape 1, and not at 1", () => {
    const early = (shape: number) => {
      const stream = createChance("b").stream("wait");
      const wait = waitingTimes(shape);
      return drawn(() => wait(stream)).filter((value) => value < 0.1).length / draws;
    };
    expect(early(1)).toBeCloseTo(1 - Math.exp(-0.1), 2);
    expect(early(0.75)).toBeGreaterThan(1.3 * early(1));
  });

  it("has repairs with the median and the mean that it is given", () => {
    const stream = createChance("r").stream("repair");
    const sigma = logNormalSigma(54, 355);
    const repairs = drawn(() => stream.logNormal(54, sigma)).toSorted((a, b) => a - b);
    expect(repairs[draws / 2]).toBeGreaterThan(52);
    expect(repairs[draws / 2]).toBeLessThan(56);
    // The mean of so heavy a tail wanders.
    expect(mean(repairs)).toBeGreaterThan(280);
    expect(mean(repairs)).toBeLessThan(450);
    expect(() => logNormalSigma(355, 54)).toThrow("tail");
  });

  it("spreads evenly over orders of magnitude", () => {
    const stream = createChance("u").stream("rate");
    const values = drawn(() => logUniform(stream, 1e-8, 1));
    const below = values.filter((value) => value < 1e-4).length / draws;
    expect(below).toBeCloseTo(0.5, 1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1e-8);
    expect(Math.max(...values)).toBeLessThanOrEqual(1);
  });
});
