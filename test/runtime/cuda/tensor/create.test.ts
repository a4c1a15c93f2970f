import { describe, expect, it } from "vitest";
import {
  type DType,
  fromValues,
  full,
  ones,
  rand,
  randn,
  random,
  zeros,
} from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";

describe.skipIf(noFake !== "")(`a tensor made on a GPU${noFake}`, () => {
  it.each<DType>(["f64", "f32", "bf16", "e4m3", "u8"])(
    "of %s has the bits of the host, whatever its values",
    (dtype) => {
      const device = openFake();
      // Of u8 no value may be below zero.
      const kinds =
        dtype === "u8" ? (["uniform"] as const) : (["uniform", "symmetric", "normal"] as const);
      for (const kind of kinds) {
        const spec = { kind, seed: 7, stream: "weights" };
        const host = random([5, 41], { spec, dtype });
        expect(random([5, 41], { spec, dtype, device }).digest(), kind).toBe(host.digest());
      }
      for (const value of dtype === "u8" ? [0, 200] : [0, -0, 3, -3]) {
        const host = full([3, 7], value, { dtype });
        expect(full([3, 7], value, { dtype, device }).digest(), String(value)).toBe(host.digest());
      }
    },
  );

  it("takes the options of the host's functions", () => {
    const device = openFake();
    expect(rand([9], { seed: 3, device }).digest()).toBe(rand([9], { seed: 3 }).digest());
    expect(randn([9], { stream: 2, device }).digest()).toBe(randn([9], { stream: 2 }).digest());
    expect(zeros([2, 3], { dtype: "bf16", device }).digest()).toBe(
      zeros([2, 3], { dtype: "bf16" }).digest(),
    );
    expect(ones([4], { device }).digest()).toBe(ones([4]).digest());
    const values = [
      [1, 2],
      [3, 4],
    ];
    const made = fromValues(values, { dtype: "i32", device });
    expect(made.toHost().toArray()).toEqual(values);
    expect(String(made)).toBe("i32[2, 2] on cuda:0");
  });

  it("refuses what the host refuses, and keeps nothing then", () => {
    const device = openFake();
    const before = device.memory.accounts().inUseBytes;
    expect(() => full([2], 300, { dtype: "u8", device })).toThrow("300 does not fit u8");
    expect(() => zeros([-1], { device })).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    expect(device.memory.accounts().inUseBytes).toBe(before);
  });
});
