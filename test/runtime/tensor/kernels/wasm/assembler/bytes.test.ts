import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  signed,
  text,
  unsigned,
  vector,
} from "../../../../../../src/runtime/tensor/kernels/wasm/assembler/bytes.ts";

describe("numbers in the binary format", () => {
  it("are written seven bits at a time, lowest first", () => {
    expect(unsigned(0)).toEqual([0]);
    expect(unsigned(127)).toEqual([0x7f]);
    expect(unsigned(128)).toEqual([0x80, 1]);
    expect(unsigned(624_485)).toEqual([0xe5, 0x8e, 0x26]);
    expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
  });

  it("keep their sign where they have one", () => {
    expect(signed(0n)).toEqual([0]);
    expect(signed(63n)).toEqual([0x3f]);
    expect(signed(64n)).toEqual([0xc0, 0]);
    expect(signed(-1n)).toEqual([0x7f]);
    expect(signed(-123_456n)).toEqual([0xc0, 0xbb, 0x78]);
  });

  it("can be read back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const bytes = signed(value);
        const bits = bytes.reduce((sum, byte, index) => {
          return sum | (BigInt(byte & 0x7f) << BigInt(7 * index));
        }, 0n);
        expect(BigInt.asIntN(7 * bytes.length, bits)).toBe(value);
        expect(bytes.every((byte, index) => byte >= 128 === index < bytes.length - 1)).toBe(true);
      }),
    );
  });

  it("are refused when they have no such form", () => {
    expect(() => unsigned(-1)).toThrow("unsigned");
    expect(() => unsigned(2 ** 32)).toThrow("unsigned");
    expect(() => unsigned(0.5)).toThrow("unsigned");
  });
});

describe("lists and names", () => {
  it("say their length first", () => {
    expect(vector([[1, 2], [3]])).toEqual([2, 1, 2, 3]);
    expect(text("né")).toEqual([3, 0x6e, 0xc3, 0xa9]);
  });
});
