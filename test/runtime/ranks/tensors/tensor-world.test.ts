import { describe, expect, expectTypeOf, test } from "vitest";
import { DistTensor, distribute, Mesh } from "../../../../src/runtime/dist/index.ts";
import * as op from "../../../../src/runtime/op/index.ts";
import { session } from "../../../../src/runtime/profile/index.ts";
import { createTensorWorld, type TensorWorld } from "../../../../src/runtime/ranks/index.ts";
import { fromValues, rand, Tensor } from "../../../../src/runtime/tensor/index.ts";
import { clock, worldHere } from "../support/here.ts";

describe("collectives on tensors", () => {
  test("sums, copies and rows of all ranks reach every rank", async () => {
    const worlds = await worldHere(3);
    const found = await Promise.all(
      worlds.map(async (world) => {
        const tensors = createTensorWorld({ world, clock });
        const own = fromValues([
          [world.rank, 1],
          [2, 10 * world.rank],
        ]);
        return {
          sum: (await tensors.allReduce(own)).toArray(),
          copy: (await tensors.broadcast(own, { root: 2 })).toArray(),
          rows: (await tensors.allGather(own)).toArray(),
        };
      }),
    );
    for (const { sum, copy, rows } of found) {
      expect(sum).toEqual([
        [3, 3],
        [6, 30],
      ]);
      expect(copy).toEqual([
        [2, 1],
        [2, 20],
      ]);
      expect(rows).toEqual([
        [0, 1],
        [2, 0],
        [1, 1],
        [2, 10],
        [2, 1],
        [2, 20],
      ]);
    }
  });

  test("large tensors and views keep their bits; all ranks get the same sum", async () => {
    const worlds = await worldHere(2);
    const digests = await Promise.all(
      worlds.map(async (world) => {
        const tensors = createTensorWorld({ world, clock });
        const own = rand([257, 129], { seed: world.rank }).transpose();
        const rows = await tensors.allGather(own);
        expect(
          rows.slice([{ start: world.rank * 129, stop: (world.rank + 1) * 129 }]).digest(),
        ).toBe(own.digest());
        return (await tensors.allReduce(own)).digest();
      }),
    );
    expect(digests[0]).toBe(digests[1]);
  });

  test("calls that nobody awaits are carried out in their order", async () => {
    const worlds = await worldHere(2);
    const found = await Promise.all(
      worlds.map(async (world) => {
        const tensors = createTensorWorld({ world, clock });
        const own = fromValues([world.rank, 1]);
        const sums = await Promise.all([
          tensors.allReduce(own),
          op.allGather(own, { world: tensors }),
          op.reduceScatter(own, { world: tensors }),
        ]);
        return sums.map((sum) => sum.toArray());
      }),
    );
    expect(found).toEqual([
      [[1, 2], [0, 1, 1, 1], [1]],
      [[1, 2], [0, 1, 1, 1], [2]],
    ]);
  });
});

async function alone(): Promise<TensorWorld> {
  const [world] = await worldHere(1);
  if (world === undefined) throw new Error("there is one rank");
  return createTensorWorld({ world, clock });
}

describe("op with a world", () => {
  test("a rank alone has its own tensor back from every collective", async () => {
    const world = await alone();
    const own = rand([3, 2], { seed: 5 });
    const found = await Promise.all([
      op.allReduce(own, { world }),
      op.reduceScatter(own, { world }),
      op.allGather(own, { world }),
      op.allToAll(own, { world }),
      op.broadcast(own, { world }),
    ]);
    expect(found.map((x) => x.digest())).toEqual(found.map(() => own.digest()));
  });

  test("a profile is told what was measured", async () => {
    const world = await alone();
    const records = await session(async (profile) => {
      await op.allReduce(fromValues([1, 2]), { world });
      return profile.records();
    });
    expect(records).toMatchObject([
      { op: "all-reduce", kind: "collective", bytes: 8, devices: 1, source: "measured" },
    ]);
  });

  test("the kind of the tensor decides what comes back, also for the compiler", async () => {
    const world = await alone();
    const own = fromValues([1]);
    expectTypeOf(op.allReduce(own, { world, op: "sum" })).resolves.toEqualTypeOf<Tensor>();
    const mesh = new Mesh({ axes: ["dp"], devices: 2 });
    const distributed = distribute(own, { mesh });
    expectTypeOf(op.allReduce(distributed, { op: "max" })).toEqualTypeOf<DistTensor>();
    expect(op.allReduce(distributed)).toBeInstanceOf(DistTensor);
    // @ts-expect-error: a tensor of the host needs a world
    expect(() => op.allReduce(own)).toThrow();
    // @ts-expect-error: between ranks there is only the sum
    await expect(op.allReduce(own, { world, op: "max" })).rejects.toThrow("it knows no max");
    // @ts-expect-error: a tensor on a mesh is not one of a rank
    await expect(op.allReduce(distributed, { world })).rejects.toMatchObject({
      code: "E_COLLECTIVE",
    });
  });

  test.each<[string, (world: TensorWorld) => Promise<unknown>]>([
    ["e4m3 does not travel", (world) => world.allReduce(fromValues([1, 2], { dtype: "e4m3" }))],
    ["there is no rank 1", (world) => op.broadcast(fromValues([1]), { world, root: 1 })],
    ["a single number has no rows", (world) => op.reduceScatter(fromValues(1), { world })],
  ])("%s: refused before anything moves", async (words, call) => {
    await expect(call(await alone())).rejects.toMatchObject({
      code: "E_COLLECTIVE",
      message: expect.stringContaining(words),
    });
  });

  test("rows that cannot be shared out evenly are refused on every rank", async () => {
    const worlds = await worldHere(2);
    for (const world of worlds) {
      const tensors = createTensorWorld({ world, clock });
      await expect(op.allToAll(fromValues([1, 2, 3]), { world: tensors })).rejects.toThrow(
        "it has 3 rows to share among 2 ranks",
      );
    }
  });
});
