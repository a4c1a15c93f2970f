import { describe, expect, it } from "vitest";
import { CudaTensor, fromBytes } from "../../../../src/runtime/cuda/tensor/index.ts";
import { type DType, fromValues, toDevice } from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { hostRandom, uploader } from "./on-fake-tensors.ts";

describe.skipIf(noFake !== "")(`a tensor on a GPU${noFake}`, () => {
  it("comes back with every bit, NaN's too, small or large", () => {
    const device = openFake();
    for (const shape of [[0], [3], [40_000]]) {
      const host = hostRandom(shape);
      const there = toDevice(host, device);
      expect(there.toHost().digest()).toBe(host.digest());
      expect(there.digest()).toBe(host.digest());
    }
    const odd = fromBytes(Uint8Array.of(1, 0, 160, 255), { dtype: "f32", shape: [1], device });
    expect([...new Uint8Array(odd.toHost().toRaw().buffer).slice(0, 4)]).toEqual([1, 0, 160, 255]);
  });

  it.each<[DType, DType]>([
    ["f64", "bf16"],
    ["f64", "f16"],
    ["f64", "e4m3"],
    ["f64", "i32"],
    ["bf16", "e4m3"],
    ["e4m3", "f32"],
    ["e5m2", "f16"],
  ])("becomes another format with the host's bits: %s to %s", (from, to) => {
    const device = openFake();
    // Ties, subnormals of the short formats, overflows and both zeros.
    const values = Float64Array.from({ length: 4000 }, (_, at) => {
      const sign = at % 2 === 0 ? 1 : -1;
      return sign * (1 + ((at * 37) % 512) / 512) * 2 ** ((at % 60) - 30);
    });
    const special = Float64Array.of(0, -0, Infinity, -Infinity, NaN, 2 ** -9, 2 ** -10, 464, 1e300);
    const all = fromValues(Float64Array.of(...values, ...special), { dtype: "f64" });
    const host = all.to(from, { saturate: true });
    const there = toDevice(host, device);
    const saturated = there.to(to, { saturate: true });
    expect(saturated.digest()).toBe(host.to(to, { saturate: true }).digest());
    if (to === "i32" || to === "u8") return;
    expect(there.to(to).digest()).toBe(host.to(to).digest());
  });

  it("refuses values that an integer format has no room for", () => {
    const device = openFake();
    const there = toDevice(fromValues([1, 255.4, 300]), device);
    expect(() => there.to("u8")).toThrow("to: 1 of 3 values do not fit u8.");
    expect(
      toDevice(fromValues([1, 255.4]), device)
        .to("u8")
        .toHost()
        .toArray(),
    ).toEqual([1, 255]);
  });

  it("changes its shape without a copy, and its order with one", () => {
    const device = openFake();
    const host = hostRandom([3, 4, 5, 6]);
    const there = uploader(device)(host);
    expect(there.reshape([12, -1]).buffer).toBe(there.buffer);
    expect(there.reshape([12, -1]).shape).toEqual([12, 30]);
    expect(() => there.reshape([7, -1])).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    for (const order of [
      [2, 0, 3, 1],
      [3, 2, 1, 0],
    ]) {
      expect(there.permute(order).digest()).toBe(host.permute(order).digest());
    }
    expect(there.transpose().digest()).toBe(host.transpose().digest());
    expect(there.transpose(0, 2).digest()).toBe(host.transpose(0, 2).digest());
    const row = hostRandom([5, 1]);
    expect(toDevice(row, device).expand([2, 5, 3]).digest()).toBe(row.expand([2, 5, 3]).digest());
    expect(there.clone().buffer).not.toBe(there.buffer);
    expect(there.clone().digest()).toBe(host.digest());
  });

  it("transposes matrices that are no multiple of a tile", () => {
    const device = openFake();
    for (const dtype of ["e4m3", "bf16", "f64"] as const) {
      const host = hostRandom([2, 37, 70], { dtype });
      expect(toDevice(host, device).transpose().digest()).toBe(host.transpose().digest());
    }
  });

  it("holds its memory until the last that shares it is freed", () => {
    const device = openFake();
    const before = device.memory.accounts();
    const there = CudaTensor.allocate(device, { dtype: "f32", shape: [100] });
    const view = there.reshape([10, 10]);
    there.free();
    there.free();
    expect(device.memory.accounts().buffers).toBe(before.buffers + 1);
    expect(() => there.buffer).toThrow("not used after free");
    expect(view.toHost().shape).toEqual([10, 10]);
    view.free();
    expect(device.memory.accounts().buffers).toBe(before.buffers);
  });

  it("of i8 goes to the host as i32", () => {
    const device = openFake();
    const bytes = new Uint8Array(Int8Array.of(-128, -1, 0, 127).buffer);
    const there = fromBytes(bytes, { dtype: "i8", shape: [4], device });
    expect(there.toHost().toArray()).toEqual([-128, -1, 0, 127]);
    expect(there.to("f32").toHost().toArray()).toEqual([-128, -1, 0, 127]);
    expect(() => fromBytes(bytes, { dtype: "i8", shape: [5], device })).toThrow(
      expect.objectContaining({ code: "E_SHAPE" }),
    );
  });
});
