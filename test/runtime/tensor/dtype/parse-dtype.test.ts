import { describe, expect, it } from "vitest";
import { dtypes, parseDType } from "../../../../src/runtime/tensor/dtype/index.ts";

describe("parseDType", () => {
  it.each(dtypes)("knows %s", (dtype) => {
    expect(parseDType(dtype)).toBe(dtype);
  });

  it.each([
    ["FP32", "f32"],
    ["float32", "f32"],
    ["double", "f64"],
    ["half", "f16"],
    ["bfloat16", "bf16"],
    ["fp8", "e4m3"],
    ["float8_e4m3fn", "e4m3"],
    ["fp8-e5m2", "e5m2"],
    ["int32", "i32"],
    ["uint8", "u8"],
  ])("takes %s for %s", (name, dtype) => {
    expect(parseDType(name)).toBe(dtype);
  });

  it("suggests the name most like a wrong one", () => {
    expect(() => parseDType("flaot32")).toThrow(
      expect.objectContaining({
        code: "E_DTYPE",
        message: 'dtype: "flaot32" is no dtype (did you mean `float32`?).',
      }),
    );
  });

  it("suggests nothing when nothing is near", () => {
    expect(() => parseDType("quaternion")).toThrow('"quaternion" is no dtype.');
  });
});
