import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBytes, parseBytes, UnitError } from "../../../src/platform/units/index.ts";

describe("parseBytes", () => {
  it.each([
    ["0", 0],
    ["4096", 4096],
    ["12B", 12],
    ["1kB", 1000],
    ["1KB", 1000],
    ["1KiB", 1024],
    ["64Mi", 64 * 2 ** 20],
    ["1.5 GiB", 1.5 * 2 ** 30],
    [".5MB", 500_000],
    ["  2 TB  ", 2e12],
    ["7PiB", 7 * 2 ** 50],
    ["0.1kB", 100],
    ["1.0001kB", 1000],
  ])("reads %j as %d bytes", (text, sizeBytes) => {
    expect(parseBytes(text)).toBe(sizeBytes);
  });

  it("takes a number for bytes", () => {
    expect(parseBytes(1_048_576)).toBe(1_048_576);
  });

  it.each([
    "",
    "MB",
    "1M", // 1000 to some programs, 1024 to others
    "1k",
    "1mb",
    "1Mb", // could be bits
    "1 Mbit",
    "-1B",
    "+1B",
    "1e3",
    "0x10",
    "1,000",
    "1.B",
    "1..5B",
    "10 parsecs",
    "8PiB", // 2^53
    "9".repeat(400),
    "NaN",
    "Infinity",
    "1 B B",
  ])("refuses %j", (text) => {
    expect(() => parseBytes(text)).toThrow("is not a size in bytes");
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "refuses the number %d",
    (n) => {
      expect(() => parseBytes(n)).toThrow("is not a size in bytes");
    },
  );

  it("says where it was, what was given and what to write", () => {
    const parse = () => parseBytes("12 parsecs", { where: "server.bodyLimit" });
    expect(parse).toThrow(UnitError);
    expect(parse).toThrow(
      /^server.bodyLimit is "12 parsecs", which is not a size in bytes; write .*KiB/,
    );
  });

  it("does not repeat a long text in full", () => {
    const parse = () => parseBytes("x".repeat(1_000_000));
    expect(parse).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{50,300}$/) }),
    );
  });
});

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [1, "1 B"],
    [1023, "1023 B"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [1_048_575, "1 MiB"],
    [123.4 * 2 ** 20, "123 MiB"],
    [2 ** 40, "1 TiB"],
    [Number.MAX_SAFE_INTEGER, "8 PiB"],
  ])("prints %d as %j", (sizeBytes, text) => {
    expect(formatBytes(sizeBytes)).toBe(text);
  });

  it("refuses what is no size", () => {
    expect(() => formatBytes(-1)).toThrow();
    expect(() => formatBytes(Number.NaN)).toThrow();
  });

  it("is read back within half a percent", () => {
    const sizes = fc.oneof(fc.maxSafeNat(), fc.nat(5000)).filter((size) => size < 7.9 * 2 ** 50);
    fc.assert(
      fc.property(sizes, (sizeBytes) => {
        const back = parseBytes(formatBytes(sizeBytes));
        expect(Math.abs(back - sizeBytes)).toBeLessThanOrEqual(sizeBytes * 0.005 + 1);
      }),
    );
  });
});
