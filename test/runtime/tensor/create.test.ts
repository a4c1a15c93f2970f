import { describe, expect, it } from "vitest";
import { dtypes } from "../../../src/runtime/tensor/dtype/index.ts";
import {
  fromValues,
  full,
  type NestedNumbers,
  ones,
  rand,
  randn,
  random,
  zeros,
} from "../../../src/runtime/tensor/index.ts";

const refusal = (code: string, message: string) => expect.objectContaining({ code, message });

describe("fromValues", () => {
  it("takes nested lists, a number or a typed array", () => {
    expect(
      fromValues([
        [1, 2],
        [3, 4],
        [5, 6],
      ]).shape,
    ).toEqual([3, 2]);
    expect(fromValues(5).shape).toEqual([]);
    expect(fromValues(Int16Array.of(1, -2)).toArray()).toEqual([1, -2]);
    expect(fromValues(Float32Array.of(1, 2, 3, 4), { shape: [2, 2] }).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(fromValues([[], []]).shape).toEqual([2, 0]);
  });

  it("is f32 unless told otherwise, and takes the names of other libraries", () => {
    expect(fromValues([0.1]).dtype).toBe("f32");
    expect(fromValues([0.1]).item()).toBe(Math.fround(0.1));
    expect(fromValues([0.1], { dtype: "f64" }).item()).toBe(0.1);
    expect(fromValues([1], { dtype: "bfloat16" as "bf16" }).dtype).toBe("bf16");
  });

  it("does not share storage with the array it was given", () => {
    const given = Float32Array.of(1, 2);
    const tensor = fromValues(given);
    given[0] = 9;
    expect(tensor.toArray()).toEqual([1, 2]);
  });

  it.each<[NestedNumbers, string]>([
    [
      [[1, 2], [3]],
      "fromValues: the lists are ragged: the value at [1] is a list of 1 where the shape [2, 2] has a list of 2.",
    ],
    [
      [[1, 2], 3],
      "fromValues: the lists are ragged: the value at [1] is the number 3 where the shape [2, 2] has a list of 2.",
    ],
    [[1, [2]], "fromValues: the value at [1] is a list of 1 where a number belongs."],
    [
      [1, "2" as unknown as number],
      "fromValues: the value at [1] is a string where a number belongs.",
    ],
  ])("refuses ragged lists and what is no number: %j", (values, message) => {
    expect(() => fromValues(values)).toThrow(refusal("E_SHAPE", message));
  });

  it("refuses lists that hold themselves", () => {
    const loop: NestedNumbers[] = [];
    loop.push(loop);
    expect(() => fromValues(loop)).toThrow("lists nest deeper than 64");
  });

  it("refuses another number of values than the shape has", () => {
    expect(() => fromValues([1, 2, 3], { shape: [2, 2] })).toThrow(
      refusal("E_SHAPE", "fromValues: 3 values do not fill [2, 2]."),
    );
  });

  it.each([300, -1, 1.5, Number.NaN])("refuses %d for u8", (value) => {
    expect(() => fromValues([value], { dtype: "u8" })).toThrow(
      refusal("E_DTYPE", `fromValues: the value ${value} does not fit u8.`),
    );
  });

  it("takes the ends of an integer's range, and NaN in a float", () => {
    const ends = [2 ** 31 - 1, -(2 ** 31)];
    expect(fromValues(ends, { dtype: "i32" }).toArray()).toEqual(ends);
    expect(fromValues([Number.NaN]).toArray()).toEqual([Number.NaN]);
  });
});

describe("zeros, ones and full", () => {
  it.each(dtypes)("fill a tensor of %s", (dtype) => {
    expect(zeros([2, 2], { dtype }).toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(ones([3], { dtype }).toArray()).toEqual([1, 1, 1]);
    expect(full([2], 7, { dtype }).toArray()).toEqual([7, 7]);
  });

  it("round the value to the dtype", () => {
    expect(full([1], 1.1, { dtype: "e4m3" }).item()).toBe(1.125);
    expect(full([2], Number.NaN).toArray()).toEqual([Number.NaN, Number.NaN]);
    expect(full([2], 0.1, { dtype: "f64" }).toArray()).toEqual([0.1, 0.1]);
    expect(() => full([2], 256, { dtype: "u8" })).toThrow("the value 256 does not fit u8");
  });

  it.each<[number[], string]>([
    [[-1], "zeros: [-1] is no shape: a dimension is a whole number from 0."],
    [[1.5], "zeros: [1.5] is no shape: a dimension is a whole number from 0."],
    [[2 ** 30, 2 ** 30], "zeros: [1073741824, 1073741824] has more elements than can be counted."],
  ])("refuse the shape %j", (shape, message) => {
    expect(() => zeros(shape)).toThrow(refusal("E_SHAPE", message));
  });

  it("refuse a dtype that does not exist, with the one most like it", () => {
    expect(() => zeros([2], { dtype: "bf61" as "bf16" })).toThrow(
      refusal("E_DTYPE", 'dtype: "bf61" is no dtype (did you mean `bf16`?).'),
    );
  });
});

describe("rand, randn and random", () => {
  it("give element i value i of the stream, whatever the shape", () => {
    const line = rand([24], { seed: 3 });
    expect(rand([2, 3, 4], { seed: 3 }).toNumbers()).toEqual(line.toNumbers());
    expect(randn([24], { seed: 3 }).toNumbers()).not.toEqual(line.toNumbers());
    const spec = { kind: "uniform", seed: 3 } as const;
    expect(random([24], { spec }).digest()).toBe(line.digest());
  });

  it("use seed 0 and stream 0 unless told otherwise", () => {
    expect(rand([4]).digest()).toBe(rand([4], { seed: 0, stream: 0 }).digest());
    expect(randn([4]).digest()).not.toBe(randn([4], { stream: 1 }).digest());
  });
});
