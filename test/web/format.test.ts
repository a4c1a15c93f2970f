import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  countOf,
  formatAgo,
  formatBytes,
  formatCount,
  formatNumber,
  formatSeconds,
  formatShare,
  nothing,
} from "../../web/src/format.ts";

describe("figures for people", () => {
  it("keeps three digits that say something", () => {
    expect(formatNumber(0.00123456)).toBe("0.00123");
    expect(formatNumber(12.345)).toBe("12.3");
    expect(formatNumber(1234.5)).toBe("1,235");
    expect(formatNumber(-2.5)).toBe("−2.5");
    expect(formatNumber(0)).toBe("0");
  });

  it("says nothing where there is no value", () => {
    for (const format of [formatNumber, formatCount, formatShare, formatBytes, formatSeconds]) {
      expect(format(null)).toBe(nothing);
      expect(format(undefined)).toBe(nothing);
      expect(format(Number.NaN)).toBe(nothing);
    }
  });

  it("calls only the whole 100 %, and only none 0 %", () => {
    expect(formatShare(1)).toBe("100 %");
    expect(formatShare(0.9999)).toBe("99.9 %");
    expect(formatShare(0.0001)).toBe("0.1 %");
    expect(formatShare(0)).toBe("0 %");
    expect(formatShare(0.5)).toBe("50 %");
  });

  it("never rounds a share up to the whole", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (share) => {
        expect(formatShare(share)).not.toBe("100 %");
      }),
    );
  });

  it("writes sizes in binary units and durations in two units at most", () => {
    expect(formatBytes(1536)).toBe("1.5 KiB");
    expect(formatBytes(3 * 2 ** 30)).toBe("3 GiB");
    expect(formatSeconds(0.00035)).toBe("350 µs");
    expect(formatSeconds(12.44)).toBe("12.4 s");
    expect(formatSeconds(185)).toBe("3 min 5 s");
    expect(formatSeconds(3600)).toBe("1 h");
    expect(formatSeconds(187_200)).toBe("2 d 4 h");
  });

  it("never writes sixty of a smaller unit", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (seconds) => {
        expect(formatSeconds(seconds)).not.toMatch(/\b60 (s|min)\b|\b24 h\b/);
      }),
    );
  });

  it("says how long ago something was, and how long until it is", () => {
    const nowMs = 1e12;
    expect(formatAgo(nowMs - 3000, nowMs)).toBe("just now");
    expect(formatAgo(nowMs - 240_000, nowMs)).toBe("4 min ago");
    expect(formatAgo(nowMs + 2 * 86_400_000, nowMs)).toBe("in 2 d");
  });

  it("counts one thing, many and none", () => {
    expect(countOf(1, "node")).toBe("1 node");
    expect(countOf(1200, "node")).toBe("1,200 nodes");
    expect(countOf(0, "node")).toBe("no nodes");
  });
});

describe("a day without a time", () => {
  const before = process.env["TZ"];

  /** The formats as a browser in this zone has them. */
  async function formatsIn(zone: string) {
    process.env["TZ"] = zone;
    vi.resetModules();
    return await import("../../web/src/format.ts");
  }

  afterEach(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    vi.resetModules();
  });

  it("is the same day for readers on both sides of Greenwich", async () => {
    for (const zone of ["America/Los_Angeles", "UTC", "Pacific/Auckland"]) {
      const { formatDay } = await formatsIn(zone);
      expect([zone, formatDay("2026-11-08")]).toEqual([zone, "8 Nov"]);
    }
  });

  it("is told from a moment, which has the day of the reader's own zone", async () => {
    const { formatDay } = await formatsIn("America/Los_Angeles");
    expect(formatDay("2026-11-08T02:00:00Z")).toBe("7 Nov");
  });
});
