import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanNumber } from "../../../../src/runtime/checkpoint/json/json-number.ts";

function scan(text: string) {
  return scanNumber(Buffer.from(text), 0, text.length);
}

describe("a number in a header", () => {
  test("is read exactly up to 2^64 - 1, and no further", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), (value) => {
        const exact = value < 2n ** 53n ? Number(value) : value < 2n ** 64n ? value : "other";
        expect(scan(String(value))).toEqual({ end: String(value).length, value: exact });
      }),
    );
  });

  test("with a sign, a point or an exponent is no whole number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(9), (one, digit) => {
        const text = `${one.toExponential()}${digit}`.replace(/e\+?(-?)\d+$/, `e$1${digit}`);
        expect(scan(text)).toEqual({ end: text.length, value: "other" });
      }),
    );
    expect(scan("-1").value).toBe("other");
    expect(scan("-0").value).toBe("other");
  });

  test("is out of range where the engine's own parser finds infinity", () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{0,14}$/);
    fc.assert(
      fc.property(digits, fc.integer({ min: -400, max: 400 }), (significand, exponent) => {
        const text = `${significand}e${exponent}`;
        expect(scan(text).value).toBe(Number.isFinite(Number(text)) ? "other" : "range");
      }),
    );
  });

  test("ends where its digits end, and looks no further than the limit", () => {
    expect(scan("12,3")).toEqual({ end: 2, value: 12 });
    expect(scanNumber(Buffer.from("1234"), 1, 3)).toEqual({ end: 3, value: 23 });
    expect(scanNumber(Buffer.from("1.5"), 0, 1)).toEqual({ end: 1, value: 1 });
    expect(scanNumber(Buffer.from("1e5"), 0, 2).value).toBe("malformed");
    expect(scanNumber(Buffer.from("-1"), 0, 1).value).toBe("malformed");
  });

  test.for(["", "-", "00", "-01", "1.", "1.e5", "1e", "1e-", "+1", ".5"])(
    "%j is malformed",
    (text) => {
      expect(scan(text).value).toBe("malformed");
    },
  );
});
