import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BenchMetric } from "../../bench/bench.ts";
import { compare, keepsLimit } from "../../bench/lib/judge.ts";

function metric(value: number, rest: Partial<BenchMetric> = {}): BenchMetric {
  return { name: "time", value, unit: "ms", provenance: "measured", better: "lower", ...rest };
}

describe("a comparison with earlier results", () => {
  it("calls a change beyond the noise by its direction", () => {
    expect(compare(metric(50), [100])).toMatchObject({ ratio: 0.5, verdict: "better" });
    expect(compare(metric(150), [100])).toMatchObject({ ratio: 1.5, verdict: "worse" });
    expect(compare(metric(150, { better: "higher" }), [100])).toMatchObject({ verdict: "better" });
    expect(compare(metric(50, { better: "higher" }), [100])).toMatchObject({ verdict: "worse" });
  });

  it("calls a change within the noise the same", () => {
    expect(compare(metric(108), [100])?.verdict).toBe("same");
    expect(compare(metric(93), [100])?.verdict).toBe("same");
  });

  it("expects more of a change where earlier results differ among themselves", () => {
    expect(compare(metric(130), [100, 100])?.verdict).toBe("worse");
    expect(compare(metric(130), [60, 100])?.verdict).toBe("same");
  });

  it("takes a small change of a simulated value for real", () => {
    expect(compare(metric(101, { provenance: "simulated" }), [100])?.verdict).toBe("worse");
    expect(compare(metric(101), [100])?.verdict).toBe("same");
  });

  it("has nothing to say without earlier results", () => {
    expect(compare(metric(1), [])).toBeUndefined();
    expect(compare(metric(1), [0])).toBeUndefined();
  });

  it("sees better one way as worse the other way", () => {
    const positive = fc.double({ min: 0.001, max: 1e9, noNaN: true });
    const opposite = { better: "worse", worse: "better", same: "same" } as const;
    fc.assert(
      fc.property(positive, positive, (now, before) => {
        const forward = compare(metric(now), [before])?.verdict;
        const backward = compare(metric(before), [now])?.verdict;
        expect(forward && opposite[forward]).toBe(backward);
      }),
    );
  });
});

describe("a limit", () => {
  it("is the most when lower is better", () => {
    expect(keepsLimit(metric(3, { limit: 3 }))).toBe(true);
    expect(keepsLimit(metric(3.01, { limit: 3 }))).toBe(false);
  });

  it("is the least when higher is better", () => {
    expect(keepsLimit(metric(2000, { limit: 2000, better: "higher" }))).toBe(true);
    expect(keepsLimit(metric(1999, { limit: 2000, better: "higher" }))).toBe(false);
  });

  it("that is not there is kept", () => {
    expect(keepsLimit(metric(Infinity))).toBe(true);
  });

  it("is not kept by a value that is no number", () => {
    expect(keepsLimit(metric(Number.NaN, { limit: 3 }))).toBe(false);
  });
});
