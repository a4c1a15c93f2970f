import { describe, expect, it } from "vitest";
import {
  type LayoutSpec,
  partial,
  replicate,
  resolveLayout,
  shard,
  shardSpec,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import {
  planRedistribute,
  type RedistributeOptions,
  type RedistributePlan,
} from "../../../../src/runtime/dist/redistribute/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const square = new Mesh({ axes: ["a", "b"], devices: 16 });
const shape = [64, 64];
const S = 64 * 64 * 4;

function plan(
  from: LayoutSpec,
  to: RedistributeOptions | LayoutSpec,
  mesh = square,
): RedistributePlan {
  const options = Array.isArray(to) || "kind" in to ? { layout: to as LayoutSpec } : to;
  const layout = resolveLayout(from, { mesh, shape });
  return planRedistribute({ mesh, layout, shape, dtype: "f32" }, options as RedistributeOptions);
}

function steps(of: RedistributePlan): string[] {
  return of.steps.map(({ kind, meshAxes }) => [kind, ...meshAxes].join(" "));
}

describe("one axis", () => {
  const n = 4;
  it.each<[string, LayoutSpec, LayoutSpec, string[], number]>([
    ["S to R gathers", [shard(0), replicate()], replicate(), ["all-gather a"], ((n - 1) / n) * S],
    [
      "S to S of another dimension exchanges",
      [shard(0), replicate()],
      [shard(1), replicate()],
      ["all-to-all a"],
      ((n - 1) / n ** 2) * S,
    ],
    ["R to S slices", replicate(), [shard(0), replicate()], ["slice a"], 0],
    ["P to R reduces", partial("sum", "a"), replicate(), ["all-reduce a"], ((2 * (n - 1)) / n) * S],
    [
      "P to S reduces and scatters",
      partial("sum", "a"),
      [shard(1), replicate()],
      ["reduce-scatter a"],
      ((n - 1) / n) * S,
    ],
    ["R to P fills", replicate(), partial("sum", "a"), ["fill a"], 0],
    ["nothing to do is no step", [shard(0), replicate()], [shard(0), replicate()], [], 0],
  ])("%s", (_, from, to, kinds, bytesPerRank) => {
    const made = plan(from, to);
    expect(steps(made)).toEqual(kinds);
    expect(made.bytesPerRank).toBe(bytesPerRank);
    expect(made.totalBytes).toBe(16 * bytesPerRank);
  });

  it("S to P is refused with a way out", () => {
    const error = thrownBy("E_REDISTRIBUTE", () =>
      plan([shard(0), replicate()], partial("sum", "a")),
    );
    expect(error.message).toContain("a splits a dimension");
    expect(error.hint).toContain("Replicate that axis first");
    const narrow = new Mesh({ axes: ["a", "b"], devices: 4, shape: [1, 4] });
    expect(plan([shard(0), replicate()], partial("sum", "a"), narrow).totalBytes).toBe(0);
  });

  it("another way to split the same dimension gathers and slices", () => {
    const cyclic: LayoutSpec = [shard(0, { split: "cyclic" }), replicate()];
    expect(steps(plan([shard(0), replicate()], cyclic))).toEqual(["all-gather a", "slice a"]);
  });
});

describe("several axes", () => {
  it("undo nested splits from the inside out and apply them from the outside in", () => {
    const nested: LayoutSpec = [shard(0), shard(0)];
    const reversed = shardSpec({ partition: [0], meshAxes: [["b", "a"]] });
    expect(steps(plan(nested, replicate()))).toEqual(["all-gather b", "all-gather a"]);
    expect(steps(plan(nested, reversed))).toEqual([
      "all-gather b",
      "all-gather a",
      "slice b",
      "slice a",
    ]);
  });

  it("keep the outer splits that are the same in both", () => {
    const outer: LayoutSpec = [shard(0, { order: 5 }), replicate()];
    expect(steps(plan(outer, [shard(0), shard(0, { order: 1 })]))).toEqual(["slice b"]);
    expect(steps(plan([shard(0), shard(0)], [shard(0), replicate()]))).toEqual(["all-gather b"]);
    expect(steps(plan([shard(0), shard(0)], [shard(0), shard(1)]))).toEqual(["all-to-all b"]);
  });

  it("that swap their dimensions gather only one of them", () => {
    const made = plan([shard(0), shard(1)], [shard(1), shard(0)]);
    expect(steps(made)).toEqual(["all-gather a", "all-to-all b", "slice a"]);
  });

  it("reduce all partial axes in one step, so that the sum is rounded once", () => {
    expect(steps(plan(partial("sum"), replicate()))).toEqual(["all-reduce a b"]);
    expect(steps(plan(partial("sum"), [shard(0), replicate()]))).toEqual([
      "all-reduce a b",
      "slice a",
    ]);
    expect(steps(plan(partial("sum"), partial("sum", "a")))).toEqual(["all-reduce b"]);
    expect(steps(plan(partial("sum", "a"), partial("max", "a")))).toEqual([
      "all-reduce a",
      "fill a",
    ]);
  });

  it("slice before they reduce or gather, because less moves then", () => {
    const made = plan(partial("sum", "a"), [replicate(), shard(0)]);
    expect(steps(made)).toEqual(["slice b", "all-reduce a"]);
    expect(made.bytesPerRank).toBe(((2 * 3) / 4) * (S / 4));
  });
});

describe("uneven parts", () => {
  it("count by their real sizes", () => {
    const mesh = new Mesh({ devices: 4 });
    const layout = resolveLayout([shard(0)], { mesh, shape: [5] });
    const made = planRedistribute(
      { mesh, layout, shape: [5], dtype: "u8" },
      { layout: replicate() },
    );
    // Parts of 2, 2, 1 and 0: the empty rank receives all five.
    expect(made.bytesPerRank).toBe(5);
    expect(made.totalBytes).toBe(3 + 3 + 4 + 5);
  });
});

describe("another mesh", () => {
  it("gets a copy between devices; what a device holds already stays", () => {
    const to = new Mesh({ axes: ["x"], devices: 16 });
    const made = plan([shard(0), replicate()], { mesh: to, layout: [shard(0)] });
    expect(steps(made)).toEqual(["copy"]);
    // Row block r of 4 rows lies in the block of rank r's own row of the grid, on the same device.
    expect(made.totalBytes).toBe(0);
    expect(made.steps[0]?.links).toMatchObject({ pairs: 0, bytesInPlace: S });
  });

  it("of other devices gets everything over links, and the summary names the busiest", () => {
    const to = new Mesh({ axes: ["x"], devices: ["n0", "n1"] });
    const made = plan([shard(0), replicate()], { mesh: to, layout: [shard(1)] });
    expect(made.totalBytes).toBe(S);
    expect(made.bytesPerRank).toBe(S / 2);
    const links = made.steps[0]?.links;
    expect(links?.pairs).toBe(8);
    expect(links?.busiest[0]?.bytes).toBe(S / 8);
    expect(links?.bytesInPlace).toBe(0);
  });

  it("keeps the placement of axes with the same name", () => {
    const rest = square.without([0, 4, 8, 12]);
    const made = plan([shard(0), shard(1)], { mesh: rest });
    expect(made.to.layout.describe()).toBe("a: S(0), b: S(1)");
    const other = new Mesh({ axes: ["b", "c"], devices: 16 });
    expect(plan([shard(0), shard(1)], { mesh: other }).to.layout.describe()).toBe("b: S(1), c: R");
  });

  it("is reduced before and filled after the copy", () => {
    const to = new Mesh({ axes: ["x"], devices: 4 });
    expect(steps(plan(partial("sum"), { mesh: to, layout: partial("sum") }))).toEqual([
      "all-reduce a b",
      "copy",
      "fill x",
    ]);
  });

  it("does not take from a dead device what a living one holds", () => {
    const to = new Mesh({ axes: ["x"], devices: ["new"] });
    const layout = resolveLayout(replicate(), { mesh: square, shape });
    const made = planRedistribute(
      { mesh: square, layout, shape, dtype: "f32" },
      { mesh: to },
      { isDead: (device) => device === 0 },
    );
    expect(made.steps[0]?.links?.busiest).toEqual([{ from: 1, to: "new", bytes: S }]);
  });

  it("that is equal in all but the object needs no copy", () => {
    const twin = new Mesh({ axes: ["a", "b"], devices: 16 });
    expect(plan([shard(0), shard(1)], { mesh: twin }).steps).toEqual([]);
  });
});

describe("a plan in words", () => {
  it("has one line per step with what it moves", () => {
    expect(plan([shard(0), shard(1)], [shard(1), replicate()]).describe()).toBe(
      [
        "f32[64, 64]: [a: S(0), b: S(1)] to [a: S(1), b: R]",
        "  1. all-gather over b: [a: S(0), b: S(1)] to [a: S(0), b: R]; 3 KiB a rank at most, 48 KiB in total",
        "  2. all-to-all over a: [a: S(0), b: R] to [a: S(1), b: R]; 3 KiB a rank at most, 48 KiB in total",
        "  total: 96 KiB",
      ].join("\n"),
    );
    expect(plan(replicate(), replicate()).describe()).toContain("nothing to do");
  });

  it("says between how many devices a copy goes", () => {
    const to = new Mesh({ axes: ["x"], devices: ["n0", "n1"] });
    const text = plan(replicate(), { mesh: to, layout: [shard(0)] }).describe();
    expect(text).toContain("2 pairs of devices, busiest 0 to n0 with 8 KiB; 0 B stay in place");
    expect(text).toContain("on x mesh, 2, 2 devices");
  });
});

describe("large tensors", () => {
  it("are planned from metadata: 10^12 elements on 1024 devices", () => {
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    const huge = [1e6, 1e6];
    const layout = resolveLayout([shard(0), shard(1)], { mesh: pool, shape: huge });
    const made = planRedistribute(
      { mesh: pool, layout, shape: huge, dtype: "bf16" },
      { layout: [shard(1), shard(0)] },
    );
    expect(made.steps.length).toBeGreaterThan(0);
    expect(Number.isSafeInteger(made.totalBytes)).toBe(true);
  });
});
