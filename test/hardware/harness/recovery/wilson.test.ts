import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../../../src/hardware/harness/recovery/index.ts";

const counts = fc
  .integer({ min: 1, max: 10_000 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));

describe("the interval of a share", () => {
  it("always holds the share, and never leaves 0 to 1", () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const { low, high, share } = wilsonInterval(successes, trials);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(share ?? -1);
        expect(high).toBeGreaterThanOrEqual(share ?? 2);
      }),
    );
  });

  it("is the same seen from success and from failure", () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const ok = wilsonInterval(successes, trials);
        const bad = wilsonInterval(trials - successes, trials);
        expect(ok.low).toBeCloseTo(1 - bad.high, 10);
        expect(ok.high).toBeCloseTo(1 - bad.low, 10);
      }),
    );
  });

  it("becomes narrower with the same share of more trials", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 50 }), ([successes, trials], more) => {
        const few = wilsonInterval(successes, trials);
        const many = wilsonInterval(successes * more, trials * more);
        expect(many.high - many.low).toBeLessThan(few.high - few.low);
      }),
    );
  });

  it("has the values that textbooks have", () => {
    const { low, high } = wilsonInterval(8, 10);
    expect(low).toBeCloseTo(0.4902, 4);
    expect(high).toBeCloseTo(0.9433, 4);
    expect(wilsonInterval(5, 5).low).toBeCloseTo(0.5655, 4);
  });

  it("says nothing where nothing was tried", () => {
    expect(wilsonInterval(0, 0)).toEqual({ successes: 0, trials: 0, share: null, low: 0, high: 1 });
  });
});
