import { describe, expect, it } from "vitest";
import {
  Layout,
  type LayoutSpec,
  type Placement,
  partial,
  replicate,
  resolveLayout,
  type ShardSpecOptions,
  shard,
  shardSpec,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });
const matrix = { mesh, shape: [1000, 1000] };

function described(spec: LayoutSpec | Layout | undefined, shape: readonly number[] = [1000, 1000]) {
  return resolveLayout(spec, { mesh, shape }).describe();
}

describe("a layout", () => {
  it("replicates when none is given, and by name", () => {
    expect(described(undefined)).toBe("tp: R, pp: R, dp: R");
    expect(described(replicate())).toBe("tp: R, pp: R, dp: R");
  });

  it.each<[ShardSpecOptions, string]>([
    [{ partition: ["row", "col"], meshAxes: ["tp", "pp"] }, "tp: S(0), pp: S(1), dp: R"],
    [{ partition: [0, 1], meshAxes: ["dp", "tp"] }, "tp: S(1), pp: R, dp: S(0)"],
    [{ partition: [-1], meshAxes: ["tp"] }, "tp: S(1), pp: R, dp: R"],
    [{ partition: [null, "col"], meshAxes: ["tp", "pp"] }, "tp: R, pp: S(1), dp: R"],
    [{ partition: ["row", "col"], meshAxes: [null, "pp"] }, "tp: R, pp: S(1), dp: R"],
    [{ partition: ["row"], meshAxes: [["tp", "pp"]] }, "tp: S(0), pp: S(0), dp: R"],
    [{ partition: ["row"], meshAxes: [["pp", "tp"]] }, "tp: S(0) level 1, pp: S(0) level 0, dp: R"],
    [{ partition: [0], meshAxes: ["tp"], cyclic: true }, "tp: S(0) cyclic, pp: R, dp: R"],
    [
      { partition: [0, 1], meshAxes: ["tp", "pp"], split: ["balanced", "ceil"], block: [1, 128] },
      "tp: S(0) balanced, pp: S(1) by 128, dp: R",
    ],
    [
      { partition: ["heads"], meshAxes: ["tp"], dimNames: ["batch", "heads"] },
      "tp: S(1), pp: R, dp: R",
    ],
    [
      { partition: ["row"], meshAxes: ["dp"], partial: { op: "sum", axes: "tp" } },
      "tp: P(sum), pp: R, dp: S(0)",
    ],
  ])("of %j is understood", (options, text) => {
    expect(described(shardSpec(options))).toBe(text);
  });

  it("takes row as the first dimension and col as the last, whatever the rank", () => {
    const spec = shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "pp"] });
    expect(described(spec, [4, 5, 6])).toBe("tp: S(0), pp: S(2), dp: R");
    expect(described(shardSpec({ partition: ["col"], meshAxes: ["tp"] }), [9])).toBe(
      "tp: S(0), pp: R, dp: R",
    );
  });

  it("is partial over the named axes, or over all", () => {
    expect(described(partial("max", "pp"))).toBe("tp: R, pp: P(max), dp: R");
    expect(described(partial("sum"))).toBe("tp: P(sum), pp: P(sum), dp: P(sum)");
  });

  it("may be given as one placement per mesh axis, negative dimensions too", () => {
    expect(described([shard(-1), partial("sum"), replicate()])).toBe("tp: S(1), pp: P(sum), dp: R");
  });

  it("that was resolved resolves to itself, and is checked against another mesh", () => {
    const layout = resolveLayout(shardSpec({ partition: [0], meshAxes: [["pp", "tp"]] }), matrix);
    expect(resolveLayout(layout, matrix).equals(layout)).toBe(true);
    const flat = new Mesh({ devices: 72 });
    thrownBy("E_LAYOUT_LENGTH", () => resolveLayout(layout, { mesh: flat, shape: [9] }));
  });

  it("equals another only when every axis is placed alike", () => {
    const rows = resolveLayout([shard(0), shard(0), replicate()], matrix);
    const other = resolveLayout([shard(0), shard(0, { order: -1 }), replicate()], matrix);
    expect(
      rows.equals(resolveLayout(shardSpec({ partition: [0], meshAxes: [["tp", "pp"]] }), matrix)),
    ).toBe(true);
    expect(rows.equals(other)).toBe(false);
    expect(rows.equals(rows.with(2, { kind: "partial", op: "sum" }))).toBe(false);
  });
});

describe("a layout is refused", () => {
  it.each<[string, ShardSpecOptions, string]>([
    ["E_LAYOUT_LENGTH", { partition: ["row", "col"], meshAxes: ["tp"] }, "meshAxes has 1 entries"],
    ["E_LAYOUT_LENGTH", { partition: [0], meshAxes: ["tp"], block: [1, 2] }, "block has 2"],
    ["E_MESH_AXIS", { partition: [0], meshAxes: ["tpp"] }, "did you mean `tp`?"],
    ["E_LAYOUT_AXIS", { partition: [0, 1], meshAxes: ["tp", "tp"] }, "tp twice"],
    [
      "E_LAYOUT_AXIS",
      { partition: [0], meshAxes: ["tp"], partial: { op: "sum", axes: "tp" } },
      "tp twice",
    ],
    ["E_LAYOUT_DIM", { partition: [2], meshAxes: ["tp"] }, "it has 2 dimensions"],
    ["E_LAYOUT_DIM", { partition: [-3], meshAxes: ["tp"] }, "it has 2 dimensions"],
    ["E_LAYOUT_DIM", { partition: [0.5], meshAxes: ["tp"] }, "dimension 0.5"],
    ["E_LAYOUT_DIM", { partition: ["rwo"], meshAxes: ["tp"] }, "did you mean `row`?"],
    ["E_LAYOUT_DIM", { partition: ["row", 0], meshAxes: ["tp", "pp"] }, "named twice"],
    ["E_LAYOUT_SPLIT", { partition: [0], meshAxes: ["tp"], block: 0 }, "0 is no block"],
    [
      "E_LAYOUT_SPLIT",
      { partition: [0], meshAxes: ["tp"], cyclic: true, block: 4 },
      "takes no block",
    ],
  ])("with %s for %j", (code, options, problem) => {
    const error = thrownBy(code as "E_LAYOUT_DIM", () => resolveLayout(shardSpec(options), matrix));
    expect(error.message).toContain(problem);
    expect(error.exitCode).toBe(2);
    expect(error.httpStatus).toBe(400);
  });

  it("when there is not one placement for each mesh axis", () => {
    const error = thrownBy("E_LAYOUT_LENGTH", () => resolveLayout([shard(0)], matrix));
    expect(error.message).toContain("1 placements for 3 mesh axes");
  });

  it("when a tensor without dimensions would be split", () => {
    thrownBy("E_LAYOUT_DIM", () =>
      described(shardSpec({ partition: ["row"], meshAxes: ["tp"] }), []),
    );
    expect(described(replicate(), [])).toBe("tp: R, pp: R, dp: R");
  });

  it("when it waits for a reduction that is not there, or for two", () => {
    const unknown = partial("summ" as "sum");
    expect(thrownBy("E_LAYOUT_REDUCE", () => resolveLayout(unknown, matrix)).message).toContain(
      "did you mean `sum`?",
    );
    const two: Placement[] = [partial("sum"), partial("max"), replicate()];
    thrownBy("E_LAYOUT_REDUCE", () => resolveLayout(two, matrix));
  });

  it.each<[unknown]>([["row"], [{}], [42], [["row", "col", null]]])(
    "when it is %j, instead of being taken for replicate",
    (given) => {
      thrownBy("E_LAYOUT_SPEC", () => resolveLayout(given as LayoutSpec, matrix));
    },
  );

  it("when the shape is none", () => {
    thrownBy("E_SHAPE", () => described(replicate(), [-1, 2]));
    thrownBy("E_SHAPE", () => described(replicate(), [1e9, 1e9]));
  });
});
