import { describe, expect, test } from "vitest";
import { createTensorWorld } from "../../../../src/runtime/ranks/index.ts";
import { fromValues, rand } from "../../../../src/runtime/tensor/index.ts";
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

  test("what does not travel between ranks is refused", async () => {
    const [world] = await worldHere(1);
    if (world === undefined) throw new Error("there is one rank");
    const tensors = createTensorWorld({ world, clock });
    await expect(tensors.allReduce(fromValues([1, 2], { dtype: "e4m3" }))).rejects.toMatchObject({
      code: "E_COLLECTIVE",
    });
  });
});
