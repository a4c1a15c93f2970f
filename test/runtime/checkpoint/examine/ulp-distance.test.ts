import { describe, expect, it } from "vitest";
import { ulpDistance } from "../../../../src/runtime/checkpoint/examine/ulp-distance.ts";
import { type DType, dtypeInfo, fromValues } from "../../../../src/runtime/tensor/index.ts";

function distance(dtype: DType, a: number, b: number): number {
  const at = (value: number) => ({ raw: fromValues([0, value], { dtype }).raw, at: 1 });
  return ulpDistance(dtype, at(a), at(b));
}

describe("ulpDistance", () => {
  it("is 1 for neighbours and 0 for the two zeros, in every float format", () => {
    for (const dtype of ["f64", "f32", "f16", "bf16", "e4m3", "e5m2"] as const) {
      const { precision, minExponent } = dtypeInfo(dtype);
      expect(distance(dtype, 1, 1 + 2 ** (1 - precision)), dtype).toBe(1);
      expect(distance(dtype, 1, 1 - 2 ** -precision), dtype).toBe(1);
      expect(distance(dtype, 0, -0), dtype).toBe(0);
      expect(distance(dtype, 2 ** minExponent, -(2 ** minExponent)), dtype).toBe(2);
      expect(distance(dtype, 1, 2), dtype).toBe(2 ** (precision - 1));
    }
    expect(distance("f32", dtypeInfo("f32").max, Number.POSITIVE_INFINITY)).toBe(1);
    expect(distance("i32", -3, 4)).toBe(7);
    expect(distance("u8", 255, 0)).toBe(255);
  });
});
