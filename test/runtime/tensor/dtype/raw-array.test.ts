import { describe, expect, it } from "vitest";
import {
  allocateRaw,
  bitsOf,
  bytesOf,
  dtypeInfo,
  dtypes,
  storesDType,
} from "../../../../src/runtime/tensor/dtype/index.ts";

describe("allocateRaw", () => {
  it.each(dtypes)("gives zeros in the array that %s is stored in", (dtype) => {
    const raw = allocateRaw(dtype, 5);
    expect(Array.from(raw)).toEqual([0, 0, 0, 0, 0]);
    expect(storesDType(raw, dtype)).toBe(true);
    expect(bytesOf(raw)).toHaveLength(5 * dtypeInfo(dtype).bytes);
    expect(bitsOf(raw)).toHaveLength(dtype === "f64" ? 10 : 5);
  });

  it("shares memory with threads from 64 KiB on, and only then", () => {
    expect(allocateRaw("f32", 16_383).buffer).toBeInstanceOf(ArrayBuffer);
    expect(allocateRaw("f32", 16_384).buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it("says how much is missing when there is no such memory", () => {
    expect(() => allocateRaw("f32", 10 ** 12)).toThrow(
      expect.objectContaining({
        code: "E_SHAPE",
        message: "tensor: there is no room for 1000000000000 elements of f32, 3.64 TiB.",
      }),
    );
  });
});

describe("storesDType", () => {
  it("tells arrays of the same bytes apart", () => {
    expect(storesDType(new Int32Array(1), "i32")).toBe(true);
    expect(storesDType(new Int32Array(1), "f32")).toBe(false);
    expect(storesDType(new Uint16Array(1), "bf16")).toBe(true);
    expect(storesDType(new Uint16Array(1), "u8")).toBe(false);
  });
});
