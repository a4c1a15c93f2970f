import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiGet, forgetAll } from "../../../web/src/api/client.ts";
import { aheadAfter, forgetServerTime, inServerTime } from "../../../web/src/api/server-clock.ts";

const sentMs = Date.parse("2026-03-01T12:00:00Z");

/** What a server whose clock is so far ahead writes, to the second, while an answer is under way. */
function dateHeader(aheadMs: number, atMs = sentMs + 50): string {
  return new Date(atMs + aheadMs).toUTCString();
}

afterEach(() => {
  vi.unstubAllGlobals();
  forgetAll();
  forgetServerTime();
});

describe("the server's time", () => {
  it("is found to a second, however far the browser's clock is off", () => {
    const hours = fc.integer({ min: -7_200_000, max: 7_200_000 });
    fc.assert(
      fc.property(hours, hours, (aheadMs, before) => {
        const date = dateHeader(aheadMs);
        const found = aheadAfter(before, date, { sentMs, gotMs: sentMs + 100 });
        expect(Math.abs(found - aheadMs)).toBeLessThanOrEqual(1_100);
      }),
    );
  });

  it("stays where it is when an answer does not speak against it, or has no date", () => {
    const call = { sentMs, gotMs: sentMs + 100 };
    expect(aheadAfter(0, dateHeader(0), call)).toBe(0);
    expect(aheadAfter(4_000, null, call)).toBe(4_000);
    expect(aheadAfter(4_000, "soon", call)).toBe(4_000);
    // Under way for a minute, it may have been written at any moment of it.
    expect(aheadAfter(0, dateHeader(0), { sentMs, gotMs: sentMs + 60_000 })).toBe(0);
  });

  it("is learnt from every answer", async () => {
    const aheadMs = 600_000;
    vi.stubGlobal("fetch", async () =>
      Response.json({}, { headers: { date: new Date(Date.now() + aheadMs).toUTCString() } }),
    );
    expect(inServerTime(0)).toBe(0);
    await apiGet("overview");
    expect(Math.abs(inServerTime(0) - aheadMs)).toBeLessThan(2_000);
  });
});
