import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TrendDayView } from "../../../src/control/api/overview.ts";
import { trendModel, trendWords, verdictsIn } from "../../../web/src/pages/overview/trend-model.ts";

const none = { pass: 0, warn: 0, suspect: 0, fail: 0, unknown: 0 };

function day(given: Partial<TrendDayView>): TrendDayView {
  return {
    day: "2026-03-01",
    runs: 0,
    verdicts: none,
    covered: null,
    nodes: null,
    gpuHours: 0,
    ...given,
  };
}

describe("the trend", () => {
  it("has in its legend the verdicts that some day has, and no others", () => {
    const model = trendModel([
      day({ runs: 6, verdicts: { ...none, pass: 6 } }),
      day({ runs: 1, verdicts: { ...none, fail: 1 } }),
    ]);
    expect(verdictsIn(model)).toEqual(["fail", "pass"]);
    expect(verdictsIn(trendModel([day({ runs: 1 })]))).toEqual([]);
  });

  it("stacks verdicts with the bad ones on the ground, and keeps runs without a verdict apart", () => {
    const model = trendModel([
      day({ runs: 10, verdicts: { ...none, pass: 6, fail: 2 } }),
      day({ runs: 5 }),
    ]);
    const [first, second] = model.bars;
    expect(first?.parts.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(first?.undecided).toEqual({ count: 2, share: 0.2 });
    expect(second?.parts).toEqual([]);
    expect(second?.undecided.share).toBe(0.5);
  });

  it("parts the line where the coverage is not known, and draws none of nothing", () => {
    const known = day({ covered: 5, nodes: 10 });
    expect(trendModel([known, known, day({}), known]).lines).toHaveLength(2);
    expect(trendModel([day({}), day({ covered: 0, nodes: 0 })]).lines).toEqual([]);
  });

  it("never draws a bar higher than its room", () => {
    const counts = fc.record({
      pass: fc.nat(500),
      warn: fc.nat(500),
      suspect: fc.nat(500),
      fail: fc.nat(500),
      unknown: fc.nat(500),
    });
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 31 }), fc.nat(50), (all, open) => {
        const days = all.map((verdicts) => {
          const decided = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
          return day({ verdicts, runs: decided + open });
        });
        for (const { parts, undecided } of trendModel(days).bars) {
          const height = parts.reduce((sum, { share }) => sum + share, undecided.share);
          expect(height).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  it("says the same in words", () => {
    const words = trendWords(trendModel([day({ runs: 2, verdicts: { ...none, fail: 2 } })]));
    expect(words).toBe("2026-03-01: 2 runs (2 fail)");
  });
});
