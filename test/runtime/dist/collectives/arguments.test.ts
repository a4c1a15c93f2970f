import { describe, expect, it } from "vitest";
import {
  allGather,
  allReduce,
  allToAll,
  allToAllV,
  broadcast,
  hierarchicalAllReduce,
  permute,
  reduceScatter,
  scatter,
  sendRecv,
} from "../../../../src/runtime/dist/collectives/index.ts";
import { Mesh, shard, shardSpec, tensor } from "../../../../src/runtime/dist/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "pp"], shape: [6, 2], devices: 12 });
const x = tensor([4, 3], { mesh });
const ragged = tensor([1000], { mesh, layout: shardSpec({ partition: [0], meshAxes: ["tp"] }) });

const refused = (run: () => unknown) => thrownBy("E_COLLECTIVE", run);

describe("bad arguments", () => {
  it("names the root that is not there, and which there are", () => {
    const error = refused(() => broadcast(x, { over: "tp", root: 6 }));
    expect(error.message).toContain("no root 6 in groups of 6");
    expect(error.hint).toContain("0 to 5");
    refused(() => broadcast(x, { root: -1 }));
    refused(() => scatter(x, { root: 0.5 }));
  });

  it("names the dimension that is not there", () => {
    expect(refused(() => reduceScatter(x, { dim: 2 })).hint).toContain("0 to 1");
    refused(() => allGather(x, { dim: -3 }));
    refused(() => allToAll(x, { splitDim: 5 }));
    refused(() => reduceScatter(tensor({ values: 1 }, { mesh })));
    expect(allGather(x, { dim: -1, over: "pp" }).shape).toEqual([4, 6]);
  });

  it("refuses parts that differ in shape, and says how to go on", () => {
    const error = refused(() => allReduce(ragged, { over: "tp" }));
    expect(error.message).toContain("rank 0 holds [167], rank 10 [165]");
    expect(error.hint).toContain("x.redistribute");
    expect(allReduce(ragged, { over: "pp" }).shape).toEqual([1000]);
  });

  it("refuses axes that the mesh has not, none, or twice", () => {
    expect(thrownBy("E_MESH_AXIS", () => allReduce(x, { over: "tpp" })).message).toContain("tp");
    thrownBy("E_MESH_AXES", () => allReduce(x, { over: ["tp", "tp"] }));
    refused(() => allReduce(x, { over: [] }));
    refused(() => hierarchicalAllReduce(x, { intra: "tp", inter: ["tp", "pp"] }));
    thrownBy("E_MESH_RANK", () => allReduce(x, { only: { pp: 2 } }));
  });

  it("refuses reductions, orders and contradictions that are none of its", () => {
    expect(refused(() => allReduce(x, { op: "mean" as never })).hint).toContain("avg");
    expect(refused(() => allReduce(x, { order: "random" as never })).hint).toContain("ring");
    refused(() => allReduce(x, { deterministic: true, order: "ring" }));
    expect(() => allReduce(x, { deterministic: true, order: "exact" })).not.toThrow();
  });

  it("refuses positions that send or get twice", () => {
    const twice = [
      [0, 1],
      [0, 2],
    ] as const;
    expect(refused(() => permute(x, { over: "tp", pairs: twice })).message).toContain(
      "sends twice",
    );
    const meet = [
      [0, 2],
      [1, 2],
    ] as const;
    expect(refused(() => permute(x, { over: "tp", pairs: meet })).message).toContain("gets twice");
    refused(() => sendRecv(x, { over: "pp", from: 0, to: 2 }));
  });

  it("refuses results whose sizes no layout has", () => {
    refused(() => allToAll(tensor([7], { mesh }), { over: "tp" }));
    const both = shardSpec({ partition: [0], meshAxes: [["tp", "pp"]] });
    const nested = tensor([24], { mesh, layout: both });
    expect(refused(() => allGather(nested, { over: "tp" })).hint).toContain("Include pp");
    expect(allGather(nested, { over: "pp" }).layout.describe()).toBe("tp: S(0), pp: R");
  });

  it("refuses to take a part of the mesh whose parts belong to no tensor", () => {
    const layout = [shard(0, { block: 3 }), shard(0)];
    const nested = tensor([10], { mesh, layout });
    refused(() => allGather(nested, { only: { pp: 0 } }));
    expect(allGather(nested, { only: { tp: 0 } }).shape).toEqual([3]);
  });
});

describe("allToAllV", () => {
  const group = new Mesh({ axes: ["ep"], devices: 3 });
  const rows = tensor(
    Float32Array.from({ length: 7 }, (_, at) => at),
    {
      mesh: group,
      layout: shardSpec({ partition: [0], meshAxes: ["ep"] }),
    },
  );
  const counts = [
    [1, 2, 0],
    [0, 0, 3],
    [1, 0, 0],
  ];

  it("sends each member as many rows as it is told", () => {
    const y = allToAllV(rows, { counts });
    expect(y.local(0).toArray()).toEqual([0, 6]);
    expect(y.local(1).toArray()).toEqual([1, 2]);
    expect(y.local(2).toArray()).toEqual([3, 4, 5]);
    expect(y.shape).toEqual([7]);
    expect(y.shardingValid()).toBe(false);
  });

  it("is undone by the transposed counts", () => {
    const back = counts.map((_, at) => counts.map((row) => row[at] ?? 0));
    const y = allToAllV(allToAllV(rows, { counts }), { counts: back });
    expect(y.digest()).toBe(rows.digest());
  });

  it("takes counts of its own for each group", () => {
    const grid = new Mesh({ axes: ["ep", "dp"], shape: [2, 2], devices: 4 });
    const x = tensor(Float32Array.of(1, 2), { mesh: grid });
    const swap = [
      [0, 2],
      [2, 0],
    ];
    const keep = [
      [2, 0],
      [0, 2],
    ];
    const y = allToAllV(x, { over: "ep", counts: (number) => (number === 0 ? swap : keep) });
    expect(y.local(3).toArray()).toEqual([1, 2]);
    const uneven = [
      [2, 0],
      [2, 0],
    ];
    const z = allToAllV(x, { over: "ep", counts: uneven });
    expect(z.local(0).toArray()).toEqual([1, 2, 1, 2]);
    expect(z.local(2).toArray()).toEqual([]);
  });

  it("refuses counts that leave rows behind or are no counts", () => {
    const some = counts.with(1, [0, 0, 2]);
    expect(refused(() => allToAllV(rows, { counts: some })).message).toContain("holds 3 rows");
    refused(() => allToAllV(rows, { counts: counts.slice(1) }));
    refused(() => allToAllV(rows, { counts: counts.with(0, [4, -1, 0]) }));
  });
});
