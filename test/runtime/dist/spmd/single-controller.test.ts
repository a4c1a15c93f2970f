import { describe, expect, it } from "vitest";
import { DistTensor } from "../../../../src/runtime/dist/array/index.ts";
import {
  allGather,
  allReduce,
  allToAll,
  reduceScatter,
} from "../../../../src/runtime/dist/collectives/index.ts";
import { partial, shard } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { random, type Tensor } from "../../../../src/runtime/tensor/index.ts";

const mesh = new Mesh({ axes: ["dp"], devices: 6 });
const locals = mesh.devices.map((_, stream) =>
  random([12, 5], { spec: { kind: "normal", seed: 7, stream }, dtype: "bf16" }),
);
const own = (rank: Rank) => locals[rank.index] as Tensor;

/** What each rank ends with, both ways. */
async function bothWays(program: (rank: Rank) => Promise<Tensor>, controller: () => DistTensor) {
  const result = controller();
  return {
    ranks: await spmd(mesh, async (rank) => (await program(rank)).digest()),
    controller: mesh.devices.map((_, rank) => result.local(rank).digest()),
  };
}

describe("a program of ranks and the single controller have the same bits", () => {
  it.each(["exact", "rank", "ring", "tree"] as const)("reducing in the order %s", async (order) => {
    const x = DistTensor.fromLocals({ mesh, layout: partial("sum"), locals });
    const whole = await bothWays(
      (rank) => rank.allReduce(own(rank), { order }),
      () => allReduce(x, { order }),
    );
    expect(whole.ranks).toEqual(whole.controller);
    const parts = await bothWays(
      (rank) => rank.reduceScatter(own(rank), { order, dim: 1 }),
      () => reduceScatter(x, { order, dim: 1 }),
    );
    expect(parts.ranks).toEqual(parts.controller);
  });

  it("moving data", async () => {
    const x = DistTensor.fromLocals({ mesh, layout: [shard(0)], locals });
    const gathered = await bothWays(
      (rank) => rank.allGather(own(rank)),
      () => allGather(x),
    );
    expect(gathered.ranks).toEqual(gathered.controller);
    const exchanged = await bothWays(
      (rank) => rank.allToAll(own(rank), { splitDim: 1, concatDim: 0 }),
      () => allToAll(x, { splitDim: 1, concatDim: 0 }),
    );
    expect(exchanged.ranks).toEqual(exchanged.controller);
  });
});
