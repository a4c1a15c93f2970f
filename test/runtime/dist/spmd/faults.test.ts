import { describe, expect, it } from "vitest";
import { inject } from "../../../../src/chaos/fault/index.ts";
import { breakDuring } from "../../../../src/runtime/dist/health/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { grid, line, numbers, outcomes, values } from "./support.ts";

const sum = async (rank: Rank) => (await rank.allReduce(values(1))).item();

describe("a lost device", () => {
  it("gives every rank of its group the same error, and leaves other groups alone", async () => {
    const all = await inject({ dropDevice: 4 }, () =>
      outcomes(grid(2, 3), async (rank) => {
        const alongA = rank.allReduce(values(1), { over: "a" });
        return await alongA.then((one) => one.item());
      }),
    );
    expect(all.filter((one) => one === 2)).toHaveLength(4);
    expect(all[1]).toMatchObject({
      code: "E_DEVICE_LOST",
      details: { device: 4, rank: 4, coordinates: "a 1, b 1" },
    });
    expect(all[4]).toBe(all[1]);
  });

  it("is seen by all when only one of them was told", async () => {
    const all = await outcomes(line(3), async (rank) => {
      if (rank.index !== 1) return await sum(rank);
      return await inject({ dropDevice: 2 }, () => sum(rank));
    });
    expect(all[0]).toMatchObject({ code: "E_DEVICE_LOST" });
    expect(new Set(all).size).toBe(1);
  });

  it("that a rank breaks before its first await is not seen by the ranks after it", async () => {
    const all = await outcomes(grid(2, 1), async (rank) => {
      if (rank.index === 0) {
        using _ = inject({ dropDevice: 1 });
        return await Promise.resolve("done");
      }
      return (await rank.allReduce(values(1), { over: "b" })).item();
    });
    expect(all).toEqual(["done", 1]);
  });

  it("comes back when the fault ends", async () => {
    const all = await spmd(line(2), async (rank) => {
      await expect(inject({ dropDevice: 0 }, () => sum(rank))).rejects.toThrow("lost device 0");
      return await sum(rank);
    });
    expect(all).toEqual([2, 2]);
  });
});

describe("a cut link", () => {
  it("stops what crosses it and nothing else", async () => {
    const mesh = new Mesh({ axes: ["node", "gpu"], devices: 16 });
    const all = await inject({ networkPartition: [[0, 1]] }, () =>
      outcomes(mesh, async (rank) => {
        const inside = await rank.allReduce(values(1), { over: "gpu" });
        expect(inside.item()).toBe(8);
        return await rank.allReduce(values(1), { over: "node" });
      }),
    );
    expect(all[0]).toMatchObject({ code: "E_PARTITION", details: { fromRank: 0, toRank: 8 } });
    expect(all[8]).toBe(all[0]);
  });

  it("in one direction lets messages through in the other", async () => {
    const cut = { kind: "cut", links: [[0, 1]] } as const;
    const all = await breakDuring(cut, () =>
      outcomes(line(2), async (rank) => {
        if (rank.index === 1) {
          await rank.send(values(5), 0);
          return await rank.recv(0);
        }
        expect((await rank.recv(1)).item()).toBe(5);
        return await rank.send(values(6), 1);
      }),
    );
    expect(all[0]).toMatchObject({ code: "E_PARTITION", details: { from: 0, to: 1 } });
    expect(all[1]).toBe(all[0]);
  });
});

describe("a corrupt device", () => {
  const flip = { kind: "corrupt", device: 1, element: 1, bit: 31 } as const;
  const gather = () =>
    spmd(line(2), async (rank) => numbers(await rank.allGather(values(1, 2, 3))));

  it("hands everyone the wrong bit", async () => {
    const wrong = [1, 2, 3, 1, -2, 3];
    expect(await breakDuring(flip, gather)).toEqual([wrong, wrong]);
    expect(await gather()).toEqual([
      [1, 2, 3, 1, 2, 3],
      [1, 2, 3, 1, 2, 3],
    ]);
  });

  it("or keeps it to itself", async () => {
    expect(await breakDuring({ ...flip, where: "output" }, gather)).toEqual([
      [1, 2, 3, 1, 2, 3],
      [1, -2, 3, 1, 2, 3],
    ]);
  });

  it("spares an operation it is not meant for", async () => {
    const right = [1, 2, 3, 1, 2, 3];
    expect(await breakDuring({ ...flip, when: "all-reduce" }, gather)).toEqual([right, right]);
  });
});
