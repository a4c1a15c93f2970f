import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuantity, quantityToInteger } from "../../../src/platform/kube/quantity.ts";

describe("a quantity", () => {
  it.each([
    ["8", 8],
    ["0", 0],
    ["+3", 3],
    ["-2", -2],
    ["1k", 1_000],
    ["1Ki", 1_024],
    ["1.5Gi", 1_610_612_736],
    ["263866680Ki", 270_199_480_320],
    ["2E", 2e18],
    ["12e3", 12_000],
    ["12E3", 12_000],
    ["1e-1", 1],
    ["100m", 1],
    ["-100m", 0],
    ["1500m", 2],
    ["1u", 1],
    [".5", 1],
    ["5.", 5],
  ])("%s is %d, rounded up", (text, expected) => {
    const value = quantityToInteger(text);
    expect(value ?? Number(parseQuantity(text)?.numerator)).toBe(expected);
  });

  it.each([
    ["500m", 500],
    ["1.5", 1_500],
    ["64", 64_000],
    ["1n", 1],
  ])("%s cpu is %d millicores", (text, expected) => {
    expect(quantityToInteger(text, "m")).toBe(expected);
  });

  it.each([
    "",
    "x",
    "1 Gi",
    "1gi",
    "1KiB",
    "1.2.3",
    "e3",
    "Ki",
    "--1",
    "1e",
    "1e9999",
    "0x10",
    "9".repeat(65),
  ])("is not %j", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
    expect(quantityToInteger(text)).toBeUndefined();
  });

  it("is exact where a floating-point number would not be", () => {
    expect(parseQuantity("9007199254740993")).toEqual({
      numerator: 9007199254740993n,
      denominator: 1n,
    });
    expect(quantityToInteger("9007199254740993")).toBeUndefined();
    expect(parseQuantity("0.1")).toEqual({ numerator: 1n, denominator: 10n });
  });

  it("keeps every digit of any whole number with any suffix", () => {
    const suffix = fc.constantFrom(
      ["", 1n] as const,
      ["k", 1000n] as const,
      ["Ei", 1n << 60n] as const,
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), suffix, (amount, [name, factor]) => {
        expect(parseQuantity(`${amount}${name}`)).toEqual({
          numerator: amount * factor,
          denominator: 1n,
        });
      }),
    );
  });
});
