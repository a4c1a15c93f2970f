import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTesseraError } from "../../../../src/platform/errors/index.ts";
import {
  allGather,
  allToAll,
  broadcast,
  gather,
  permute,
  scatter,
  sendRecv,
} from "../../../../src/runtime/dist/collectives/index.ts";
import { distribute, localShape } from "../../../../src/runtime/dist/index.ts";
import { Tensor } from "../../../../src/runtime/tensor/index.ts";
import { cases } from "../layout/arbitrary-layouts.ts";
import { calls, concat, dealOut, groupOf, numbered, plainLocals, take } from "./naive.ts";

const numRuns = 60;

/** The nested parts of a length over several axes: the first splits, the next splits its parts. */
function nestedPart(indices: number[], sizes: readonly number[], coordinates: readonly number[]) {
  return sizes.reduce((left, size, at) => {
    const hand = dealOut(left.length, size)[coordinates[at] ?? 0] ?? [];
    return hand.map((index) => left[index] ?? 0);
  }, indices);
}

describe("along axes that split nothing", () => {
  it("allGather puts everybody's data one after the other", () => {
    fc.assert(
      fc.property(calls, ({ mesh, over, shape, dim: any }) => {
        const dim = any % shape.length;
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const gathered = plainLocals(allGather(x, { over, dim }));
        for (const rank of mesh.devices.keys()) {
          const members = groupOf(mesh, over, rank).map((one) => locals[one] as never);
          expect(gathered[rank]).toEqual(concat(members, dim));
        }
      }),
      { numRuns },
    );
  });

  it("gather leaves that with the root, whose sub-mesh it is then on", () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ mesh, over, shape }, any) => {
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const root = any % groupOf(mesh, over, 0).length;
        const y = gather(x, { over, root, dim: 0 });
        const held = plainLocals(y);
        for (const [rank, device] of y.mesh.devices.entries()) {
          const group = groupOf(mesh, over, mesh.rankOfDevice(device) ?? -1);
          expect(mesh.deviceOf(group[root] ?? -1)).toBe(device);
          expect(held[rank]).toEqual(
            concat(
              group.map((one) => locals[one] as never),
              0,
            ),
          );
        }
      }),
      { numRuns },
    );
  });

  it("broadcast leaves everybody with the root's data", () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ mesh, over, shape }, any) => {
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const root = any % groupOf(mesh, over, 0).length;
        const y = broadcast(x, { over, root });
        for (const [rank, held] of plainLocals(y).entries()) {
          expect(held).toEqual(locals[groupOf(mesh, over, rank)[root] ?? -1]);
        }
      }),
      { numRuns },
    );
  });

  it("scatter splits the root's data among the group, raggedly if need be", () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ mesh, over, shape, dim: any }, anyRoot) => {
        const dim = any % shape.length;
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const root = anyRoot % groupOf(mesh, over, 0).length;
        const y = scatter(x, { over, root, dim });
        expect(y.shape).toEqual(shape);
        for (const [rank, held] of plainLocals(y).entries()) {
          const sizes = over.map((axis) => mesh.axisSize(axis));
          const at = over.map((axis) => mesh.coordinatesOf(rank)[mesh.axisIndex(axis)] ?? 0);
          const all = Array.from({ length: shape[dim] ?? 0 }, (_, index) => index);
          const source = locals[groupOf(mesh, over, rank)[root] ?? -1];
          expect(held).toEqual(take(source as never, dim, nestedPart(all, sizes, at)));
        }
      }),
      { numRuns },
    );
  });

  it("allToAll sends member j the j-th piece of everybody", () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ mesh, over: [axis = ""], shape, dim: any }, other) => {
        const over = [axis];
        const splitDim = any % shape.length;
        const concatDim = other % shape.length;
        const n = mesh.axisSize(axis);
        const even = shape.with(splitDim, (shape[splitDim] ?? 0) * n);
        const x = numbered(mesh, even);
        const locals = plainLocals(x);
        const held = plainLocals(allToAll(x, { over, splitDim, concatDim }));
        for (const rank of mesh.devices.keys()) {
          const group = groupOf(mesh, over, rank);
          const indices = dealOut(even[splitDim] ?? 0, n)[group.indexOf(rank)] ?? [];
          const pieces = group.map((one) => take(locals[one] as never, splitDim, indices));
          expect(held[rank]).toEqual(concat(pieces, concatDim));
        }
      }),
      { numRuns },
    );
  });
});

describe("along axes that split the tensor", () => {
  const numbers = (shape: readonly number[]) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const raw = Float32Array.from({ length: size }, (_, at) => at);
    return Tensor.over(raw, { dtype: "f32", shape });
  };

  it("allGather undoes the split, or says which axis has to come along", () => {
    let done = 0;
    fc.assert(
      fc.property(cases, fc.nat(), ({ mesh, shape, layout }, any) => {
        const whole = numbers(shape);
        const axis = mesh.axes[any % mesh.axes.length] ?? "";
        if (layout.placements[mesh.axisIndex(axis)]?.kind !== "shard") return;
        try {
          const y = allGather(distribute(whole, { mesh, layout }), { over: axis });
          expect(y.layout.placements[mesh.axisIndex(axis)]).toEqual({ kind: "replicate" });
          expect(y.digest()).toBe(whole.digest());
          expect(y.shardingValid()).toBe(true);
          done++;
        } catch (error) {
          if (!isTesseraError(error)) throw error;
          expect(error.code).toBe("E_COLLECTIVE");
          expect(error.hint).toContain("Include");
        }
      }),
      { numRuns: 120 },
    );
    expect(done).toBeGreaterThan(30);
  });

  it("allGather over everything gives every device the whole", () => {
    fc.assert(
      fc.property(cases, ({ mesh, shape, layout }) => {
        if (layout.axesWith("shard").length === 0) return;
        const whole = numbers(shape);
        const y = allGather(distribute(whole, { mesh, layout }));
        for (const rank of mesh.devices.keys()) {
          expect(y.local(rank).digest()).toBe(whole.digest());
        }
      }),
      { numRuns },
    );
  });

  it("allToAll moves the split to another dimension, and the tensor stays what it is", () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ mesh, shape, layout }, any) => {
        const whole = numbers(shape);
        const axis = mesh.axes[any % mesh.axes.length] ?? "";
        const how = layout.placements[mesh.axisIndex(axis)];
        if (how?.kind !== "shard" || shape.length < 2) return;
        if (layout.splitsOf(how.dim).at(-1)?.axis !== mesh.axisIndex(axis)) return;
        const splitDim = (how.dim + 1) % shape.length;
        const y = allToAll(distribute(whole, { mesh, layout }), { over: axis, splitDim });
        expect(y.layout.placements[mesh.axisIndex(axis)]).toMatchObject({ dim: splitDim });
        expect(y.digest()).toBe(whole.digest());
        for (const rank of mesh.devices.keys()) {
          expect(y.local(rank).shape).toEqual(localShape(y.layout, { mesh, shape, rank }));
        }
      }),
      { numRuns },
    );
  });
});

describe("permute and sendRecv", () => {
  it("move data along pairs; who gets nothing has zeros, or keeps what it had", () => {
    fc.assert(
      fc.property(calls, fc.nat(), fc.nat(), ({ mesh, over, shape }, one, other) => {
        const n = groupOf(mesh, over, 0).length;
        const [from, to] = [one % n, other % n];
        const x = numbered(mesh, shape);
        const locals = plainLocals(x);
        const moved = plainLocals(permute(x, { over, pairs: [[from, to]] }));
        const sent = plainLocals(sendRecv(x, { over, from, to }));
        for (const rank of mesh.devices.keys()) {
          const group = groupOf(mesh, over, rank);
          const isReceiver = group.indexOf(rank) === to;
          const own = locals[rank];
          const zeros = { shape: own?.shape, values: own?.values.map(() => 0) };
          expect(moved[rank]).toEqual(isReceiver ? locals[group[from] ?? -1] : zeros);
          expect(sent[rank]).toEqual(isReceiver ? locals[group[from] ?? -1] : own);
        }
      }),
      { numRuns },
    );
  });

  it("a whole turn of a ring comes back to where it began", () => {
    fc.assert(
      fc.property(calls, ({ mesh, over, shape }) => {
        const n = groupOf(mesh, over, 0).length;
        const pairs = Array.from({ length: n }, (_, at) => [at, (at + 1) % n] as const);
        const x = numbered(mesh, shape);
        let y = x;
        for (let step = 0; step < n; step++) y = permute(y, { over, pairs });
        expect(plainLocals(y)).toEqual(plainLocals(x));
      }),
      { numRuns: 30 },
    );
  });
});
