import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bucket, type Rate, take } from "../../../../src/platform/http/rate-limit/bucket.ts";

const rates = fc.record({
  perSecond: fc.double({ min: 0.01, max: 10_000, noNaN: true }),
  burst: fc.double({ min: 1, max: 10_000, noNaN: true }),
});
const gaps = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 300 });

function calls(rate: Rate, gapsMs: readonly number[]) {
  let bucket: Bucket | undefined;
  let nowMs = 0;
  return gapsMs.map((gapMs) => {
    nowMs += gapMs;
    const taken = take(bucket, rate, nowMs);
    bucket = taken.bucket;
    return { nowMs, taken };
  });
}

describe("a bucket", () => {
  it("lets through no more than the burst and what has been saved up since", () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        const made = calls(rate, gapsMs);
        const allowed = made.filter(({ taken }) => taken.isAllowed).length;
        const lastMs = (made.at(-1)?.nowMs ?? 0) - (made[0]?.nowMs ?? 0);
        expect(allowed).toBeLessThanOrEqual(rate.burst + (lastMs / 1000) * rate.perSecond + 1e-6);
      }),
    );
  });

  it("refuses nobody who keeps to the rate", () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 200 }), (rate, count) => {
        const gapMs = 1000 / rate.perSecond + 1e-6;
        const made = calls(
          rate,
          Array.from({ length: count }, () => gapMs),
        );
        expect(made.every(({ taken }) => taken.isAllowed)).toBe(true);
      }),
    );
  });

  it("lets whoever waits as long as it said go on", () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        for (const { nowMs, taken } of calls(rate, gapsMs)) {
          if (taken.isAllowed) continue;
          expect(taken.waitMs).toBeGreaterThan(0);
          expect(take(taken.bucket, rate, nowMs + taken.waitMs).isAllowed).toBe(true);
        }
      }),
    );
  });

  it("neither gives nor takes when the clock goes back", () => {
    const rate = { perSecond: 1, burst: 2 };
    const used = take(take(undefined, rate, 1000).bucket, rate, 1000).bucket;
    expect(take(used, rate, 0)).toMatchObject({ isAllowed: false, bucket: { atMs: 1000 } });
  });
});
