import { describe, expect, it } from "vitest";
import { zForChecks } from "../../../../src/runtime/verify/checksums/index.ts";

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
