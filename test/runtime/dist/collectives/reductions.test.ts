import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allReduce,
  hierarchicalAllReduce,
  reduce,
  reducePartial,
  reduceScatter,
} from "../../../../src/runtime/dist/collectives/index.ts";
import {
  DistTensor,
  Mesh,
  partial,
  replicate,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { fromValues } from "../../../../src/runtime/tensor/index.ts";
import { calls, dealOut, groupOf, numbered, plainLocals, take, total } from "./naive.ts";

const numRuns = 60;

describe("against a sum done by hand", () => {
  it("allReduce leaves every device of a group with the sum of the group", () => {
    fc.assert(
      fc.property(calls, ({ mesh, over, shape }) => {
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const y = allReduce(x, { over, op: "sum" });
        expect(y.shape).toEqual(shape);
        for (const [rank, held] of plainLocals(y).entries()) {
          expect(held).toEqual(total(groupOf(mesh, over, rank).map((one) => locals[one] as never)));
        }
      }),
      { numRuns },
    );
  });

  it("hierarchicalAllReduce does the same, whichever axes are inside nodes", () => {
    fc.assert(
      fc.property(calls, ({ mesh, over, shape }) => {
        const x = numbered(mesh, shape);
        const inter = mesh.axes.filter((axis) => !over.includes(axis));
        const y = hierarchicalAllReduce(x, { intra: over, inter });
        const flat = allReduce(x);
        expect(y.layout.equals(flat.layout)).toBe(true);
        expect(plainLocals(y)).toEqual(plainLocals(flat));
      }),
      { numRuns },
    );
  });

  it("reduceScatter leaves each device with its part of the sum, raggedly if need be", () => {
    fc.assert(
      fc.property(calls, ({ mesh, over: [axis = ""], shape, dim: any }) => {
        const over = [axis];
        const dim = any % shape.length;
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const y = reduceScatter(x, { over, dim });
        expect(y.shape).toEqual(shape);
        expect(y.layout.placements[mesh.axisIndex(axis)]).toMatchObject({ kind: "shard", dim });
        for (const [rank, held] of plainLocals(y).entries()) {
          const group = groupOf(mesh, over, rank);
          const indices = dealOut(shape[dim] ?? 0, group.length)[group.indexOf(rank)] ?? [];
          const sum = total(group.map((one) => locals[one] as never));
          expect(held).toEqual(take(sum, dim, indices));
        }
      }),
      { numRuns },
    );
  });

  it("reduce leaves the sum with the roots, on their sub-mesh", () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ mesh, over, shape }, any) => {
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const root = any % groupOf(mesh, over, 0).length;
        const y = reduce(x, { over, root });
        for (const [rank, held] of plainLocals(y).entries()) {
          const group = groupOf(mesh, over, mesh.rankOfDevice(y.mesh.deviceOf(rank)) ?? -1);
          expect(held).toEqual(total(group.map((one) => locals[one] as never)));
        }
      }),
      { numRuns },
    );
  });
});

describe("what counts", () => {
  const rack = new Mesh({ axes: ["dp"], devices: 72 });
  const one = tensor(Float32Array.of(1), { mesh: rack, layout: replicate() });

  it("counts every replica: 72 ones are 72, and 1024 are 1024", () => {
    expect(allReduce(one, { op: "sum", deterministic: true }).toArray()).toEqual([72]);
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    const x = tensor(Float32Array.of(1), { mesh: pool, layout: replicate() });
    expect(hierarchicalAllReduce(x, { op: "sum" }).toArray()).toEqual([1024]);
  });

  it("leaves replicas alone in reducePartial, and reduces partial values by their operation", () => {
    expect(reducePartial(one)).toBe(one);
    const terms = tensor(Float32Array.of(1), { mesh: rack, layout: partial("sum") });
    expect(reducePartial(terms).toArray()).toEqual([72]);
    const largest = tensor(Float32Array.of(1), { mesh: rack, layout: partial("max") });
    expect(reducePartial(largest).toArray()).toEqual([1]);
  });

  it("reduces only the axes it is told, and stays partial along the others", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
    const x = tensor(Float32Array.of(1), { mesh, layout: partial("sum") });
    const y = reducePartial(x, { over: "tp" });
    expect(y.layout.describe()).toBe("tp: R, dp: P(sum)");
    expect(y.local(0).toArray()).toEqual([3]);
    expect(reducePartial(y).toArray()).toEqual([6]);
  });

  it("adds up the parts along an axis that splits the tensor", () => {
    const mesh = new Mesh({ axes: ["dp"], devices: 3 });
    const layout = [{ kind: "shard", dim: 0, split: "ceil" }] as const;
    const x = tensor(Float32Array.of(1, 2, 3, 4, 5, 6), { mesh, layout });
    const y = allReduce(x);
    expect(y.toArray()).toEqual([9, 12]);
    expect(y.layout.describe()).toBe("dp: R");
  });

  it.each([
    ["sum", [6, -1]],
    ["avg", [2, -1 / 3]],
    ["prod", [6, -0]],
    ["min", [1, -1]],
    ["max", [3, 0]],
  ] as const)("reduces by %s", (op, expected) => {
    const mesh = new Mesh({ axes: ["dp"], devices: 3 });
    const locals = [
      [1, 0],
      [2, -1],
      [3, 0],
    ].map((values) => fromValues(values, { dtype: "f64" }));
    const x = DistTensor.fromLocals({ mesh, locals });
    expect(allReduce(x, { op }).toArray()).toEqual(expected);
    const y = reduceScatter(x, { op });
    expect(y.toArray()).toEqual(expected);
  });

  it.each([
    ["band", 0b0001],
    ["bor", 0b0111],
    ["bxor", 0b0101],
  ] as const)("reduces whole numbers by %s", (op, expected) => {
    const mesh = new Mesh({ axes: ["dp"], devices: 3 });
    const values = [0b0011, 0b0101, 0b0011 ^ 0b0101 ^ 0b0101];
    const locals = values.map((value) => fromValues([value], { dtype: "i32" }));
    const x = DistTensor.fromLocals({ mesh, locals });
    expect(allReduce(x, { op }).toArray()).toEqual([expected]);
  });

  it("takes empty tensors and tensors without dimensions", () => {
    expect(allReduce(tensor([0, 3], { mesh: rack })).shape).toEqual([0, 3]);
    expect(reduceScatter(tensor([0], { mesh: rack })).toArray()).toEqual([]);
    expect(allReduce(tensor({ values: 2 }, { mesh: rack })).toArray()).toBe(144);
  });

  it("shares one block among all replicas of a result", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
    const y = allReduce(tensor([8], { mesh, random: { kind: "normal", seed: 1 } }), { over: "tp" });
    expect(new Set(mesh.devices.map((_, rank) => y.block(rank))).size).toBe(1);
  });
});
