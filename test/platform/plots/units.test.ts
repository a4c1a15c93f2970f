import { describe, expect, it } from "vitest";
import { formatQuantity, formatterFor } from "../../../src/platform/plots/units.ts";

describe("formatQuantity", () => {
  it.each([
    [0, "", "0"],
    [1234567, "", "1,234,567"],
    [0.12345, "", "0.123"],
    [-2.5, "", "−2.5"],
    [4096, "B", "4 KiB"],
    [1536, "B/s", "1.5 KiB/s"],
    [0.25, "ms", "250 µs"],
    [90_000, "ms", "1.5 min"],
    [90, "s", "1.5 min"],
    [99.5, "%", "99.5%"],
    [478.3, "GB/s", "478 GB/s"],
    [12, "GPUs", "12 GPUs"],
    [3e-9, "", "3e-9"],
    [2e18, "", "2e18"],
    [0, "ms", "0 ms"],
  ])("writes %d %s as %s", (value, unit, text) => {
    expect(formatQuantity(value, unit)).toBe(text);
  });

  it("writes what is no number as a dash, never as NaN", () => {
    expect(formatQuantity(Number.NaN, "ms")).toBe("–");
    expect(formatQuantity(Number.POSITIVE_INFINITY, "")).toBe("–");
  });
});

describe("formatterFor", () => {
  it("writes all labels of an axis in one step and with the same decimals", () => {
    const format = formatterFor("B", { largest: 2 * 1024 ** 2, distance: 512 * 1024 });
    expect([0, 512 * 1024, 1024 ** 2].map(format)).toEqual(["0.0 MiB", "0.5 MiB", "1.0 MiB"]);
  });
});
