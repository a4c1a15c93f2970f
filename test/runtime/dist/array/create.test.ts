import { describe, expect, it } from "vitest";
import {
  distribute,
  Mesh,
  partial,
  replicate,
  shardSpec,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { fromValues, random } from "../../../../src/runtime/tensor/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const rack = new Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });
const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
const spec = { kind: "symmetric", seed: 7 } as const;
const grid = shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "pp"] });

describe("dist.tensor", () => {
  it("takes whole numbers in a list for a shape, and fills it with zeros", () => {
    const x = tensor([2, 3], { mesh: rack });
    expect(x.shape).toEqual([2, 3]);
    expect(x.dtype).toBe("f32");
    expect(x.toArray()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("takes typed arrays and { values } for values", () => {
    expect(tensor(Float32Array.of(1, 2), { mesh: rack }).toArray()).toEqual([1, 2]);
    expect(tensor({ values: [[1], [2]] }, { mesh: rack }).toArray()).toEqual([[1], [2]]);
    expect(tensor({ values: [1, 2], shape: [2, 1] }, { mesh: rack }).shape).toEqual([2, 1]);
  });

  it("keeps the dtype of typed arrays, unless another is asked for", () => {
    expect(tensor(Float64Array.of(0.1), { mesh: rack }).dtype).toBe("f64");
    expect(tensor(Int32Array.of(1), { mesh: rack }).dtype).toBe("i32");
    expect(tensor(Uint8Array.of(1), { mesh: rack }).dtype).toBe("u8");
    expect(tensor(Float64Array.of(0.1), { mesh: rack, dtype: "bf16" }).dtype).toBe("bf16");
  });

  it("rounds a fill to the dtype", () => {
    const x = tensor([1], { mesh: rack, fill: 0.1, dtype: "f16" });
    expect(x.toArray()).toEqual([0.0999755859375]);
  });

  it("has the same random values under every layout and mesh", () => {
    const whole = random([7, 5], { spec });
    for (const mesh of [rack, new Mesh({ axes: ["tp", "pp"], shape: [2, 3], devices: 6 })]) {
      for (const layout of [replicate(), grid, undefined]) {
        const x = tensor([7, 5], { mesh, random: spec, ...(layout && { layout }) });
        expect(x.toTensor().digest()).toBe(whole.digest());
        expect(x.digest()).toBe(whole.digest());
      }
    }
  });

  it("gives distinct devices values of their own, by device and not by rank", () => {
    const mesh = new Mesh({ axes: ["dp"], devices: 4 });
    const x = tensor([3], { mesh, random: spec, distinct: true });
    const digests = mesh.devices.map((_, rank) => x.local(rank).digest());
    expect(new Set(digests).size).toBe(4);
    expect(x.layout.placements).toEqual([{ kind: "partial", op: "sum" }]);
    const turned = tensor([3], { mesh: mesh.remap([3, 2, 1, 0]), random: spec, distinct: true });
    expect(turned.local(0).digest()).toBe(digests[3]);
  });

  it("gives every device the values as its term when the layout is partial", () => {
    const x = tensor(Float32Array.of(1), { mesh: rack, layout: partial("sum") });
    expect(x.local(71).toArray()).toEqual([1]);
  });

  it("refuses options that contradict each other", () => {
    const mesh = rack;
    thrownBy("E_SHAPE", () => tensor([1], { mesh, fill: 1, random: spec }));
    thrownBy("E_SHAPE", () => tensor([1], { mesh, distinct: true }));
    thrownBy("E_SHAPE", () => tensor(Float32Array.of(1), { mesh, fill: 1 }));
    thrownBy("E_SHAPE", () => tensor([1.5], { mesh }));
  });
});

describe("memory", () => {
  it("allocates nothing before it is read, however many devices there are", () => {
    const before = process.memoryUsage().arrayBuffers;
    const x = tensor([4096, 4096], { mesh: pool, random: spec, distinct: true });
    const zeros = tensor([4096, 4096], { mesh: pool });
    for (const rank of pool.devices.keys()) {
      x.source(rank);
      zeros.source(rank);
    }
    expect(zeros.shardingValid()).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });

  it("judges 10^12 elements from metadata alone", () => {
    const x = tensor([1_000_000, 1_000_000], { mesh: rack, layout: grid, random: spec });
    expect(x.shardingValid()).toBe(true);
  });

  it("lets devices with the same part share it", () => {
    const x = tensor([12, 12], { mesh: rack, layout: grid, random: spec });
    expect(x.block(0)).toBe(x.block(1));
    expect(x.block(0)).not.toBe(x.block(2));
    expect(x.local(0)).toBe(x.local(1));
  });

  it("cuts a tensor of the host into views", () => {
    const whole = fromValues(Float32Array.from({ length: 12 }, (_, at) => at));
    const rows = shardSpec({ partition: [0], meshAxes: ["tp"] });
    const x = distribute(whole, { mesh: rack, layout: rows });
    expect(x.local(12).raw).toBe(whole.raw);
    expect(x.local(12).toArray()).toEqual([2, 3]);
  });
});
