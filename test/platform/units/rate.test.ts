import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRate, parseRate } from "../../../src/platform/units/index.ts";

describe("parseRate", () => {
  it.each([
    ["100GB/s", 100e9],
    ["1.5 GiB/s", 1.5 * 2 ** 30],
    ["400Gbit/s", 50e9],
    ["8bit/s", 1],
    ["60MB/min", 1e6],
    ["64Mi / s", 64 * 2 ** 20],
  ])("reads %j as %d bytes a second", (text, perSecond) => {
    expect(parseRate(text, { of: "bytes" })).toBe(perSecond);
  });

  it.each([
    ["5/s", 5],
    ["3/min", 0.05],
    ["3/m", 0.05],
    ["36/h", 0.01],
    ["0/d", 0],
  ])("reads %j as %d times a second", (text, perSecond) => {
    expect(parseRate(text, { of: "times" })).toBeCloseTo(perSecond, 12);
  });

  it("keeps bytes and bits eight apart", () => {
    const bytes = parseRate("1GB/s", { of: "bytes" });
    expect(bytes).toBe(8 * parseRate("1Gbit/s", { of: "bytes" }));
  });

  it.each([
    "100GB",
    "100GB/",
    "GB/s",
    "3/min",
    "100Gb/s",
    "100GBps",
    "-1GB/s",
    "1GB/fortnight",
    "",
  ])("refuses %j as a bandwidth", (text) => {
    expect(() => parseRate(text, { of: "bytes" })).toThrow("is not a bandwidth");
  });

  it.each(["3", "3GB/s", "/s", "3 per min", "-3/s"])("refuses %j as a rate", (text) => {
    expect(() => parseRate(text, { of: "times", where: "limit" })).toThrow(
      /^limit is .*, which is not a rate; write .*3\/min/,
    );
  });
});

describe("formatRate", () => {
  it.each([
    [450e9, "450 GB/s"],
    [999.99e6, "1 GB/s"],
    [0, "0 B/s"],
  ])("prints %d bytes a second as %j", (perSecond, text) => {
    expect(formatRate(perSecond, { of: "bytes" })).toBe(text);
  });

  it.each([
    [0, "0/s"],
    [12.34, "12.3/s"],
    [0.05, "3/min"],
    [0.01, "36/h"],
    [1 / 86_400, "1/d"],
  ])("prints %d times a second as %j", (perSecond, text) => {
    expect(formatRate(perSecond, { of: "times" })).toBe(text);
  });

  it("is read back within half a percent", () => {
    const rates = fc.double({ min: 1e-3, max: 1e17, noNaN: true });
    fc.assert(
      fc.property(rates, fc.constantFrom("bytes" as const, "times" as const), (perSecond, of) => {
        const asked = of === "bytes" ? perSecond * 1000 : perSecond;
        const back = parseRate(formatRate(asked, { of }), { of });
        expect(Math.abs(back - asked)).toBeLessThanOrEqual(asked * 0.0051);
      }),
    );
  });
});
