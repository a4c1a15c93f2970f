import { describe, expect, it } from "vitest";
import { type RequestSample, sharesOf } from "../../../../src/hardware/harness/recovery/index.ts";

/** One sample each second: `+` served, `-` did not, `?` could not be asked. */
function samplesOf(text: string): RequestSample[] {
  const words = { "+": "ok", "-": "failed", "?": "unknown" } as const;
  return text.split("").map((sign, index) => ({
    sentMs: index * 1000,
    endedMs: index * 1000 + 100,
    outcome: words[sign as keyof typeof words],
  }));
}

describe("the shares of requests", () => {
  it("are sorted by when the requests were sent", () => {
    const found = sharesOf(samplesOf("++++---++++"), { injectedMs: 4000, servingMs: 7000 });
    expect(found.before).toMatchObject({ successes: 4, trials: 4 });
    expect(found.during).toMatchObject({ successes: 0, trials: 3 });
    expect(found.after).toMatchObject({ successes: 4, trials: 4 });
  });

  it("have nothing after a recovery that never came", () => {
    const found = sharesOf(samplesOf("++---++"), { injectedMs: 2000, servingMs: null });
    expect(found.after).toMatchObject({ trials: 0, share: null });
    expect(found.during).toMatchObject({ successes: 2, trials: 5 });
  });

  it("say of each window how often it could not be asked", () => {
    const found = sharesOf(samplesOf("+??+???+?"), { injectedMs: 2000, servingMs: 6000 });
    expect(found.unknown).toEqual({ before: 1, during: 3, after: 2 });
    expect(found.before).toMatchObject({ successes: 1, trials: 1 });
    expect(found.during).toMatchObject({ successes: 1, trials: 1 });
  });

  it("know how long a time without service that nobody could see may have been", () => {
    const found = sharesOf(samplesOf("++??++-++"), { injectedMs: 2000, servingMs: 4000 });
    expect(found).toMatchObject({ longestGapMs: 2000, longestGapMsMost: 3000 });
    const clear = sharesOf(samplesOf("++--++"), { injectedMs: 2000, servingMs: 4000 });
    expect(clear.longestGapMsMost).toBe(clear.longestGapMs);
  });

  it("measure the time without service from the last success to the next", () => {
    const found = sharesOf(samplesOf("++---++-++"), { injectedMs: 0, servingMs: null });
    expect(found.longestGapMs).toBe(4000);
    expect(found.withoutServiceMs).toBe(6000);
  });

  it("let an outage that never ended last to the last answer", () => {
    const found = sharesOf(samplesOf("++---"), { injectedMs: 0, servingMs: null });
    expect(found.longestGapMs).toBe(3100);
  });

  it("have no time without service where every request succeeded", () => {
    const found = sharesOf(samplesOf("+++++"), { injectedMs: 2000, servingMs: 3000 });
    expect(found).toMatchObject({ longestGapMs: 0, withoutServiceMs: 0 });
  });
});
