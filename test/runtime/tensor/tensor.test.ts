import { describe, expect, it } from "vitest";
import { dtypes } from "../../../src/runtime/tensor/dtype/index.ts";
import { fromValues, rand, Tensor, zeros } from "../../../src/runtime/tensor/index.ts";

const refusal = (code: string, message: string) => expect.objectContaining({ code, message });

const grid = fromValues([
  [1, 2, 3],
  [4, 5, 6],
]);

describe("Tensor", () => {
  it("tells its elements by index, negative ones from the end", () => {
    expect(grid.at(0, 2)).toBe(3);
    expect(grid.at(-1, -3)).toBe(4);
  });

  it.each<[number[], string]>([
    [[0], "at: 1 indices for the shape [2, 3]."],
    [[2, 0], "at: the index 2 is not within dimension 0 of [2, 3]."],
    [[0, -4], "at: the index -4 is not within dimension 1 of [2, 3]."],
    [[0, 0.5], "at: the index 0.5 is not within dimension 1 of [2, 3]."],
  ])("refuses the index %j", (index, message) => {
    expect(() => grid.at(...index)).toThrow(refusal("E_SHAPE", message));
  });

  it("gives its only element, and refuses when there are more", () => {
    expect(fromValues([[7]]).item()).toBe(7);
    expect(fromValues(7).item()).toBe(7);
    expect(() => grid.item()).toThrow(refusal("E_SHAPE", "item: the shape [2, 3] has 6 elements."));
  });

  it("becomes nested lists again", () => {
    expect(grid.toArray()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(grid.transpose().toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(fromValues(3).toArray()).toBe(3);
    expect(zeros([2, 0, 3]).toArray()).toEqual([[], []]);
    expect(zeros([0]).toArray()).toEqual([]);
  });

  it("shares storage with its views", () => {
    for (const view of [
      grid.reshape([3, 2]),
      grid.permute([1, 0]),
      grid.transpose(),
      grid.slice([1, { start: 1 }]),
      grid.expand([4, 2, 3]),
      grid.transpose().reshape([3, 1, 2]),
    ]) {
      expect(view.raw).toBe(grid.raw);
    }
  });

  it("copies in reshape only when the strides leave no other way", () => {
    const copied = grid.transpose().reshape([6]);
    expect(copied.raw).not.toBe(grid.raw);
    expect(copied.toArray()).toEqual([1, 4, 2, 5, 3, 6]);
  });

  it("shares storage in toRaw where the elements lie in order, and copies where they do not", () => {
    expect(grid.slice([1]).toRaw().buffer).toBe(grid.raw.buffer);
    expect(Array.from(grid.slice([1]).toRaw())).toEqual([4, 5, 6]);
    expect(grid.transpose().toRaw().buffer).not.toBe(grid.raw.buffer);
  });

  it("cannot be changed by way of its shape", () => {
    const shape = [2, 3];
    const tensor = zeros(shape);
    shape[0] = 9;
    expect(tensor.shape).toEqual([2, 3]);
    expect(() => (tensor.shape as number[]).push(1)).toThrow(TypeError);
  });

  it("finds the dimension that reshape left open", () => {
    expect(grid.reshape([-1]).shape).toEqual([6]);
    expect(grid.reshape([3, -1]).shape).toEqual([3, 2]);
  });

  it.each<[() => unknown, string]>([
    [() => grid.reshape([4]), "reshape: [2, 3] has 6 elements, which do not make [4]."],
    [() => grid.reshape([-1, 4]), "reshape: [2, 3] has 6 elements, which do not make [-1, 4]."],
    [
      () => grid.reshape([-1, -1]),
      "reshape: [-1] is no shape: a dimension is a whole number from 0.",
    ],
    [() => zeros([0]).reshape([-1, 0]), "reshape: [0] has 0 elements, which do not make [-1, 0]."],
    [
      () => grid.permute([0, 0]),
      "permute: the order [0, 0] does not name each dimension of [2, 3] once.",
    ],
    [() => grid.permute([0, 2]), "permute: there is no dimension 2 among 2."],
    [() => fromValues([1]).transpose(), "transpose: there is no dimension -2 among 1."],
    [() => grid.slice([null, null, 0]), "slice: 3 ranges for the shape [2, 3]."],
    [() => grid.slice([5]), "slice: the index 5 is not within dimension 0 of [2, 3]."],
    [
      () => grid.slice([{ step: 0 }]),
      'slice: {"step":0} is no range: it takes whole numbers, and a step that is not 0.',
    ],
    [
      () => grid.expand([2, 4]),
      "expand: [2, 3] does not expand to [2, 4]: only a dimension of 1 can be repeated.",
    ],
    [
      () => grid.expand([3]),
      "expand: [2, 3] does not expand to [3]: only a dimension of 1 can be repeated.",
    ],
  ])("refuses what makes no view: %s", (make, message) => {
    expect(make).toThrow(refusal("E_SHAPE", message));
  });
});

describe("slice", () => {
  const line = fromValues([0, 1, 2, 3, 4, 5]);

  it.each([
    [{}, [0, 1, 2, 3, 4, 5]],
    [{ start: 2 }, [2, 3, 4, 5]],
    [{ stop: -1 }, [0, 1, 2, 3, 4]],
    [{ start: -3, stop: 5 }, [3, 4]],
    [{ step: 4 }, [0, 4]],
    [{ step: -2 }, [5, 3, 1]],
    [{ start: 4, stop: 1, step: -1 }, [4, 3, 2]],
    [{ start: 1, stop: 100 }, [1, 2, 3, 4, 5]],
    [{ start: -100, stop: 2 }, [0, 1]],
    [{ start: 4, stop: 2 }, []],
    [{ start: 100 }, []],
    [{ stop: -100, step: -1 }, [5, 4, 3, 2, 1, 0]],
  ])("takes what Python takes for %j", (range, expected) => {
    expect(line.slice([range]).toArray()).toEqual(expected);
  });
});

describe("to", () => {
  it("rounds each value once and leaves the shape", () => {
    const converted = fromValues([[1 + 2 ** -11 + 2 ** -40, -0]], { dtype: "f64" }).to("f16");
    expect(converted.dtype).toBe("f16");
    expect(converted.toArray()).toEqual([[1 + 2 ** -10, -0]]);
  });

  it("is the tensor itself for its own dtype", () => {
    expect(grid.to("f32")).toBe(grid);
  });

  it.each(dtypes)("reads a view, and more elements than it converts at a time, to %s", (dtype) => {
    const values = Float64Array.from({ length: 22_500 }, (_, index) => index % 8);
    const tensor = fromValues(values, { shape: [150, 150] }).transpose();
    const bytes = (of: Tensor) => Buffer.from(of.toNumbers().buffer);
    expect(bytes(tensor.to(dtype)).equals(bytes(tensor))).toBe(true);
  });

  it("refuses what an integer cannot hold, unless it may saturate", () => {
    const wide = fromValues([300, -5, 2.5]);
    expect(() => wide.to("u8")).toThrow(refusal("E_DTYPE", "to: the value 300 does not fit u8."));
    expect(wide.to("u8", { saturate: true }).toArray()).toEqual([255, 0, 2]);
    expect(wide.to("i32").toArray()).toEqual([300, -5, 2]);
    expect(() => fromValues([Number.NaN]).to("i32")).toThrow("the value NaN does not fit i32");
    expect(() => fromValues([255.5]).to("u8")).toThrow("the value 255.5 does not fit u8");
    expect(fromValues([-0.5, 255.25]).to("u8").toArray()).toEqual([0, 255]);
  });

  it("overflows as the format does, and saturates when asked to", () => {
    const large = fromValues([1e6, -1e6]);
    expect(large.to("e4m3").toArray()).toEqual([Number.NaN, Number.NaN]);
    expect(large.to("f16").toArray()).toEqual([Infinity, -Infinity]);
    expect(large.to("e4m3", { saturate: true }).toArray()).toEqual([448, -448]);
  });
});

describe("Tensor.over", () => {
  it("takes strides of any kind that stay inside the storage", () => {
    const raw = Float32Array.of(0, 1, 2, 3, 4, 5);
    const of = (strides: number[], offset: number) =>
      Tensor.over(raw, { dtype: "f32", shape: [2, 2], strides, offset }).toArray();
    expect(of([1, 2], 1)).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(of([-2, 0], 5)).toEqual([
      [5, 5],
      [3, 3],
    ]);
  });

  it.each<[number[], number, string]>([
    [[3, 1], 2, "tensor: the shape [2, 2] needs elements 2 to 6 of a storage of 6."],
    [[-3, 1], 2, "tensor: the shape [2, 2] needs elements -1 to 3 of a storage of 6."],
    [[1], 0, "tensor: [1] from 0 on are no strides for [2, 2]."],
    [[1, 0.5], 0, "tensor: [1, 0.5] from 0 on are no strides for [2, 2]."],
  ])("refuses strides %j from %i on", (strides, offset, message) => {
    const raw = new Float32Array(6);
    const make = () => Tensor.over(raw, { dtype: "f32", shape: [2, 2], strides, offset });
    expect(make).toThrow(refusal("E_SHAPE", message));
  });

  it("refuses storage of another dtype", () => {
    expect(() => Tensor.over(new Float32Array(4), { dtype: "bf16", shape: [4] })).toThrow(
      refusal("E_DTYPE", "tensor: a Float32Array does not hold bf16."),
    );
  });

  it("keeps the bits of a NaN through views and copies", () => {
    const bits = Uint32Array.of(0x7f800001, 0xffc12345, 0, 0x7fc00000);
    const tensor = Tensor.over(new Float32Array(bits.buffer), { dtype: "f32", shape: [2, 2] });
    const copy = tensor.transpose().toRaw() as Float32Array;
    expect(Array.from(new Uint32Array(copy.buffer, copy.byteOffset, 4))).toEqual([
      0x7f800001, 0, 0xffc12345, 0x7fc00000,
    ]);
  });

  it("shows dtype and shape as text", () => {
    expect(String(rand([2, 3], { dtype: "bf16" }))).toBe("bf16[2, 3]");
  });
});
