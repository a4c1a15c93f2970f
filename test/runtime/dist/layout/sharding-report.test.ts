import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Layout,
  type LayoutSpec,
  localShape,
  localSlices,
  partial,
  replicate,
  resolveLayout,
  type ShardingReport,
  type ShardingView,
  shard,
  shardingReport,
  shardSpec,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Case, cases } from "./arbitrary-layouts.ts";

const rack = new Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });
const rowsAndCols = shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "pp"] });

function viewOf(mesh: Mesh, shape: readonly number[], spec: LayoutSpec | Layout): ShardingView {
  return { mesh, shape, dtype: "f32", layout: resolveLayout(spec, { mesh, shape }) };
}

/** Ranks that hold what the layout gives them, but for some. */
function localsBut(
  view: ShardingView,
  wrong: Readonly<Record<number, readonly number[]>> = {},
): NonNullable<ShardingView["locals"]> {
  const { mesh, shape, layout, dtype } = view;
  return {
    shape: (rank) => wrong[rank] ?? localShape(layout, { mesh, shape, rank }),
    dtype: () => dtype,
  };
}

function codes(report: ShardingReport): string[] {
  return [...new Set([...report.errors, ...report.warnings].map(({ code }) => code))];
}

describe("a tensor that is sharded as its layout says", () => {
  it("is valid, also when it is split raggedly, and the report says how unevenly", () => {
    const view = viewOf(rack, [1000, 1000], rowsAndCols);
    const report = shardingReport({ ...view, requested: rowsAndCols, locals: localsBut(view) });
    expect(report.valid).toBe(true);
    expect(codes(report)).toEqual(["uneven"]);
    expect(report.warnings[0]?.message).toBe(
      "Dimension 0 of length 1000 is split unevenly over tp: parts have 165 to 167 elements, the largest 0.2 % above the mean.",
    );
    expect(report.bytesPerDevice).toEqual({ least: 165 * 165 * 4, most: 167 * 167 * 4 });
    expect(report.describe()).toContain("valid: f32[1000, 1000] as tp: S(0), pp: S(1), dp: R");
  });

  it("of 10^12 elements on 1024 devices is judged from metadata alone", () => {
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    const view = viewOf(pool, [1e6, 1e6], [shard(0), shard(1)]);
    const report = shardingReport({ ...view, locals: localsBut(view) });
    expect(report.valid).toBe(true);
    expect(report.bytesPerDevice.most).toBe(7813 * 125_000 * 4);
  });

  it("is valid with empty parts, which are named", () => {
    const mesh = new Mesh({ devices: 6 });
    const report = shardingReport(viewOf(mesh, [7], [shard(0)]));
    expect(report.valid).toBe(true);
    const empty = report.warnings.filter(({ code }) => code === "empty-shard");
    expect(empty.map(({ rank }) => rank)).toEqual([4, 5]);
  });

  it("has no remark about empty parts when the tensor itself is empty", () => {
    expect(codes(shardingReport(viewOf(new Mesh({ devices: 6 }), [0], [shard(0)])))).toEqual([]);
  });
});

describe("errors", () => {
  it("name the rank, its coordinates and its device when a part has the wrong shape", () => {
    const view = viewOf(rack, [1000, 1000], rowsAndCols);
    const report = shardingReport({ ...view, locals: localsBut(view, { 5: [167, 166] }) });
    expect(report.valid).toBe(false);
    const [error] = report.errors;
    expect(error).toMatchObject({
      code: "wrong-shape",
      rank: 5,
      coordinates: [0, 2, 1],
      device: 5,
    });
    expect(error?.message).toBe(
      "The part of rank 5 (tp 0, pp 2, dp 1; device 5) is [167, 167], and it holds [167, 166].",
    );
    expect(report.errors[1]).toMatchObject({ code: "hole", rank: 5 });
    expect(report.errors[1]?.message).toContain("[0:167, 500:501]");
  });

  it("find the row that a flat split loses where splits nest: (5, 3) on 2 × 2", () => {
    const mesh = new Mesh({ axes: ["a", "b"], devices: 4 });
    const view = viewOf(mesh, [5, 3], [shard(0), shard(0)]);
    const flat = { 0: [2, 3], 1: [2, 3], 2: [1, 3], 3: [0, 3] };
    const report = shardingReport({ ...view, locals: localsBut(view, flat) });
    expect(codes(report)).toContain("wrong-shape");
    expect(report.errors.filter(({ code }) => code === "hole")).toMatchObject([{ rank: 3 }]);
    expect(report.errors.find(({ code }) => code === "hole")?.message).toContain("[4:5, 0:3]");
    expect(report.errors.find(({ code }) => code === "overlap")?.message).toContain(
      "both hold [3:4, 0:3]",
    );
  });

  it("name ranks that disagree on the dtype or the number of dimensions", () => {
    const view = viewOf(new Mesh({ devices: 3 }), [6], [shard(0)]);
    const locals = localsBut(view, { 2: [2, 1] });
    const report = shardingReport({
      ...view,
      locals: { ...locals, dtype: (rank) => (rank === 1 ? "bf16" : "f32") },
    });
    expect(report.errors.filter(({ code }) => code === "metadata").map(({ rank }) => rank)).toEqual(
      [1, 2],
    );
    expect(report.counts.hole).toBe(1);
  });

  it("name the copy that differs from the majority, and only that", () => {
    const view = viewOf(rack, [12, 12], [shard(0), replicate(), replicate()]);
    const digest = (rank: number) => (rank === 30 ? "odd" : `part ${rack.coordinatesOf(rank)[0]}`);
    const report = shardingReport({ ...view, locals: { ...localsBut(view), digest } });
    expect(report.errors).toMatchObject([
      { code: "replica-mismatch", rank: 30, coordinates: [2, 3, 0] },
    ]);
    expect(report.errors[0]?.message).toContain("the 11 copies that agree");
    const same = { ...localsBut(view), digest: () => "same" };
    expect(shardingReport({ ...view, locals: same }).valid).toBe(true);
  });

  it("say that no majority decides between two copies", () => {
    const view = viewOf(new Mesh({ devices: 2 }), [4], replicate());
    const digest = (rank: number) => `bits of ${rank}`;
    const report = shardingReport({ ...view, locals: { ...localsBut(view), digest } });
    expect(report.errors[0]?.message).toContain("no majority tells which is right");
  });

  it("do not compare values that are partial, which differ by design", () => {
    const view = viewOf(new Mesh({ devices: 2 }), [4], partial("sum"));
    const digest = (rank: number) => `bits of ${rank}`;
    const report = shardingReport({ ...view, locals: { ...localsBut(view), digest } });
    expect(codes(report)).toEqual(["partial-read"]);
  });

  it("name dead devices of the mesh, not others", () => {
    const mesh = new Mesh({ devices: ["x", "y"] });
    const view = viewOf(mesh, [4], [shard(0)]);
    const report = shardingReport({ ...view, deadDevices: new Set(["y", "z"]) });
    expect(report.errors).toMatchObject([{ code: "dead-device", rank: 1, device: "y" }]);
  });

  it("name a layout that does not fit, instead of throwing", () => {
    const layout = resolveLayout([shard(1)], { mesh: new Mesh({ devices: 2 }), shape: [2, 2] });
    const report = shardingReport({
      mesh: new Mesh({ devices: 2 }),
      shape: [4],
      dtype: "f32",
      layout,
    });
    expect(report.errors).toMatchObject([{ code: "bad-layout" }]);
  });

  it("are listed up to a limit and counted beyond", () => {
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    const view = viewOf(pool, [4096], replicate());
    const locals = { ...localsBut(view), shape: () => [1] };
    const report = shardingReport({ ...view, locals });
    expect(report.counts["wrong-shape"]).toBe(1024);
    expect(report.errors.filter(({ code }) => code === "wrong-shape")).toHaveLength(32);
    expect(report.describe()).toContain("and 992 more");
  });
});

describe("what was asked for and not done", () => {
  it("is silent replication when the layout replicates instead", () => {
    const view = viewOf(rack, [1000, 1000], [shard(0), replicate(), replicate()]);
    const report = shardingReport({ ...view, requested: rowsAndCols });
    expect(report.valid).toBe(true);
    const [warning] = report.warnings.filter(({ code }) => code === "silent-replication");
    expect(warning?.message).toContain("S(1) was asked for on pp");
  });

  it("is silent replication when the layout splits and every rank still holds everything", () => {
    const view = viewOf(new Mesh({ devices: 4 }), [10], [shard(0)]);
    const locals = { ...localsBut(view), shape: () => [10] };
    const report = shardingReport({ ...view, locals });
    expect(report.valid).toBe(false);
    expect(codes(report)).toContain("silent-replication");
    expect(codes(report)).toContain("overlap");
  });

  it("is named when the layout differs in another way, and not when it is as asked", () => {
    const view = viewOf(rack, [1000, 1000], rowsAndCols);
    const swapped = shardSpec({ partition: ["col", "row"], meshAxes: ["tp", "pp"] });
    expect(codes(shardingReport({ ...view, requested: swapped }))).toContain("not-as-requested");
    expect(codes(shardingReport({ ...view, requested: rowsAndCols }))).not.toContain(
      "not-as-requested",
    );
  });
});

describe("remarks on the mesh", () => {
  it("name axes of size 1", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], devices: 4, shape: [4, 1] });
    const report = shardingReport(viewOf(mesh, [8], [shard(0), replicate()]));
    expect(report.warnings).toMatchObject([{ code: "axis-of-one" }]);
  });

  it("name a mesh that does not match its topology", () => {
    const mesh = new Mesh({
      axes: ["node", "gpu"],
      devices: 16,
      shape: [2, 8],
      topology: "gb200-nvl72",
    });
    expect(codes(shardingReport(viewOf(mesh, [16], replicate())))).toEqual(["topology"]);
  });
});

describe("holes and overlaps", () => {
  it("are found exactly where counting every element finds them", () => {
    const wrongs = fc.dictionary(
      fc.nat({ max: 63 }).map(String),
      fc.array(fc.nat({ max: 8 }), { minLength: 3, maxLength: 3 }),
      { maxKeys: 3 },
    );
    fc.assert(
      fc.property(cases, wrongs, (given, wrong) => {
        const { mesh, shape, layout } = given;
        const locals: Record<number, readonly number[]> = {};
        for (const [rank, held] of Object.entries(wrong))
          locals[Number(rank) % mesh.size] = held.slice(0, shape.length);
        const view: ShardingView = { mesh, shape, layout, dtype: "f32" };
        const report = shardingReport({ ...view, locals: localsBut(view, locals) });
        const owners = countOwners(given, locals);
        expect(report.counts.hole !== undefined).toBe(owners.some((count) => count === 0));
        expect(report.counts.overlap !== undefined).toBe(owners.some((count) => count > 1));
      }),
      { numRuns: 200 },
    );
  });
});

/** For each replica and each element, how many ranks of that replica hold it. */
function countOwners(
  { mesh, shape, layout }: Case,
  wrong: Readonly<Record<number, readonly number[]>>,
): number[] {
  const size = shape.reduce((a, b) => a * b, 1);
  const splitting = layout.axesWith("shard").map((axis) => mesh.axes[axis] ?? "");
  return mesh.groups(splitting).flatMap((replica) => {
    const owners = new Array<number>(size).fill(0);
    for (const rank of replica) {
      const slices = localSlices(layout, { mesh, shape, rank });
      const counts = wrong[rank] ?? slices.map(({ count }) => count);
      let held = [0];
      for (const [dim, { start, step }] of slices.entries()) {
        const length = shape[dim] ?? 0;
        held = held.flatMap((before) =>
          Array.from({ length: counts[dim] ?? 0 }, (_, at) => start + at * step)
            .filter((index) => index < length)
            .map((index) => before * length + index),
        );
      }
      for (const element of held) owners[element] = (owners[element] ?? 0) + 1;
    }
    return owners;
  });
}
