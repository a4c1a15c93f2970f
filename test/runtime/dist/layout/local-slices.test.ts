import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  localShape,
  localSlices,
  resolveLayout,
  shard,
  shardSpec,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { cases, dealt } from "./arbitrary-layouts.ts";

/** The sizes of the parts of one dimension over a single axis. */
function sizes(length: number, parts: number, options: Parameters<typeof shard>[1] = {}): number[] {
  const mesh = new Mesh({ devices: parts });
  const layout = resolveLayout([shard(0, options)], { mesh, shape: [length] });
  return mesh.devices.map(
    (_, rank) => localShape(layout, { mesh, shape: [length], rank })[0] ?? -1,
  );
}

describe("one axis on one dimension", () => {
  it("splits 1000 over 6 raggedly, by ceil or balanced", () => {
    expect(sizes(1000, 6)).toEqual([167, 167, 167, 167, 167, 165]);
    expect(sizes(1000, 6, { split: "balanced" })).toEqual([167, 167, 167, 167, 166, 166]);
  });

  it("leaves the last ranks empty when there is too little, and says that they start at the end", () => {
    expect(sizes(7, 6)).toEqual([2, 2, 2, 1, 0, 0]);
    const mesh = new Mesh({ devices: 6 });
    const layout = resolveLayout([shard(0)], { mesh, shape: [7] });
    expect(localSlices(layout, { mesh, shape: [7], rank: 5 })).toEqual([
      { start: 7, step: 1, count: 0 },
    ]);
  });

  it("deals out cyclically: part k owns k, k + n, …", () => {
    const mesh = new Mesh({ devices: 3 });
    const layout = resolveLayout([shard(0, { split: "cyclic" })], { mesh, shape: [8] });
    expect(localSlices(layout, { mesh, shape: [8], rank: 2 })).toEqual([
      { start: 2, step: 3, count: 2 },
    ]);
    expect(sizes(8, 3, { split: "cyclic" })).toEqual([3, 3, 2]);
  });

  it("cuts only at multiples of the block", () => {
    expect(sizes(1000, 6, { block: 128 })).toEqual([256, 256, 256, 232, 0, 0]);
    expect(sizes(1000, 6, { block: 128, split: "balanced" })).toEqual([
      256, 256, 128, 128, 128, 104,
    ]);
  });
});

describe("several axes on one dimension", () => {
  const mesh = new Mesh({ axes: ["a", "b"], devices: 4 });
  const rows = (layout: ReturnType<typeof resolveLayout>) =>
    mesh.devices.map((_, rank) => localSlices(layout, { mesh, shape: [5, 3], rank })[0]);

  it("each split what the one before left: (5, 3) over 2 × 2 gives 2, 1, 1, 1 rows", () => {
    const layout = resolveLayout([shard(0), shard(0)], { mesh, shape: [5, 3] });
    expect(rows(layout)).toEqual([
      { start: 0, step: 1, count: 2 },
      { start: 2, step: 1, count: 1 },
      { start: 3, step: 1, count: 1 },
      { start: 4, step: 1, count: 1 },
    ]);
  });

  it("split in the order they are named, not in the mesh's", () => {
    const spec = shardSpec({ partition: [0], meshAxes: [["b", "a"]] });
    const layout = resolveLayout(spec, { mesh, shape: [5, 3] });
    expect(rows(layout).map((slice) => slice?.start)).toEqual([0, 3, 2, 4]);
  });
});

describe("every layout", () => {
  it("gives each rank the elements that dealing them out by hand gives it", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { mesh, shape, layout } = given;
        for (let rank = 0; rank < mesh.size; rank++) {
          for (const [dim, { start, step, count }] of localSlices(layout, {
            mesh,
            shape,
            rank,
          }).entries()) {
            const indices = Array.from({ length: count }, (_, index) => start + index * step);
            expect(indices).toEqual(dealt(given, rank, dim));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
