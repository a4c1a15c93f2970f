import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDurationMs, parseDurationMs, UnitError } from "../../../src/platform/units/index.ts";

describe("parseDurationMs", () => {
  it.each([
    ["0", 0],
    ["250ms", 250],
    ["30s", 30_000],
    ["5m", 300_000],
    ["5min", 300_000],
    ["1.5h", 5_400_000],
    ["2d", 172_800_000],
    ["1w", 604_800_000],
    ["1h30m", 5_400_000],
    ["1h 30m 5s", 5_405_000],
    ["1d12h", 129_600_000],
    [" 10 s ", 10_000],
    ["500us", 0.5],
    ["500µs", 0.5],
    [".5s", 500],
  ])("reads %j as %d ms", (text, durationMs) => {
    expect(parseDurationMs(text)).toBeCloseTo(durationMs, 9);
  });

  it.each([
    "",
    "30", // of what?
    30,
    "s",
    "-5s",
    "5 seconds",
    "5S",
    "30m1h", // from large to small
    "1h1h",
    "1m1min",
    "1h,30m",
    "1e3s",
    "PT5M",
    "5constructor",
    "5s!",
    Number.NaN,
    `${"9".repeat(20)}d`,
    "1s ".repeat(100),
  ])("refuses %j", (given) => {
    expect(() => parseDurationMs(given)).toThrow("is not a duration");
  });

  it("says where it was, what was given and what to write", () => {
    const parse = () => parseDurationMs("soon", { where: "loop.interval" });
    expect(parse).toThrow(/^loop.interval is "soon", which is not a duration; write .*1h30m/);
    expect(parse).toThrow(UnitError);
  });
});

describe("formatDurationMs", () => {
  it.each([
    [0, "0 ms"],
    [0.0005, "500 ns"],
    [0.25, "250 µs"],
    [1, "1 ms"],
    [999.9, "1 s"],
    [1500, "1.5 s"],
    [59_949, "59.9 s"],
    [59_990, "1m"],
    [60_000, "1m"],
    [90_000, "1m 30s"],
    [3_576_000, "59m 36s"],
    [3_599_999, "1h"],
    [5_400_000, "1h 30m"],
    [85_500_000, "23h 45m"],
    [86_399_999, "1d"],
    [90_000_000, "1d 1h"],
    [8_640_000_000, "100d"],
  ])("prints %d ms as %j", (durationMs, text) => {
    expect(formatDurationMs(durationMs)).toBe(text);
  });

  it("refuses what is no duration", () => {
    expect(() => formatDurationMs(-1)).toThrow();
    expect(() => formatDurationMs(Number.POSITIVE_INFINITY)).toThrow();
  });

  it("is read back within half of the smaller unit it prints", () => {
    const anyMs = fc.oneof(
      fc.nat(100_000),
      fc.nat(10_000_000_000),
      fc.double({ min: 0.001, max: 1e9, noNaN: true }),
    );
    fc.assert(
      fc.property(anyMs, (durationMs) => {
        const errorMs = Math.abs(parseDurationMs(formatDurationMs(durationMs)) - durationMs);
        const allowedMs =
          durationMs < 60_000
            ? durationMs * 0.0051
            : durationMs < 3_600_000
              ? 500
              : durationMs < 86_400_000
                ? 30_000
                : 1_800_000;
        expect(errorMs).toBeLessThanOrEqual(allowedMs + 1e-6);
      }),
    );
  });
});
