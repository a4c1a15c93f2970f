import { describe, expect, it } from "vitest";
import { spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { allocateRaw } from "../../../../src/runtime/tensor/dtype/index.ts";
import { fromValues, random, Tensor } from "../../../../src/runtime/tensor/index.ts";
import { reduceInto } from "../../../../src/runtime/tensor/reduce/index.ts";
import { grid, line, numbers, outcomes, values } from "./support.ts";

describe("a rank", () => {
  it("knows its place, and what it returns is found there", async () => {
    const mesh = grid(2, 3);
    const places = await spmd(mesh, (rank) => [rank.index, ...rank.coordinates, rank.device]);
    expect(places).toEqual([
      [0, 0, 0, 0],
      [1, 0, 1, 1],
      [2, 0, 2, 2],
      [3, 1, 0, 3],
      [4, 1, 1, 4],
      [5, 1, 2, 5],
    ]);
  });
});

describe("all-reduce", () => {
  it("gives everyone the sum over the whole mesh, or over the ranks of an axis", async () => {
    const sums = await spmd(grid(2, 3), async (rank) => {
      const own = values(10 ** rank.index);
      const all = await rank.allReduce(own);
      const alongA = await rank.allReduce(own, { over: "a" });
      return [all.item(), alongA.item()];
    });
    expect(sums).toEqual([
      [111_111, 1001],
      [111_111, 10_010],
      [111_111, 100_100],
      [111_111, 1001],
      [111_111, 10_010],
      [111_111, 100_100],
    ]);
  });

  it.each(["exact", "rank", "ring", "tree"] as const)(
    "in the order %s has the bits of the reduction that everyone else uses",
    async (order) => {
      const dtype = "f32";
      const tensors = Array.from({ length: 7 }, (_, stream) =>
        random([257], { spec: { kind: "normal", seed: 1, stream }, dtype }),
      );
      const out = allocateRaw(dtype, 257);
      const sources = tensors.map((one) => ({ kind: "raw", raw: one.toRaw(), start: 0 }) as const);
      reduceInto({ dtype, op: "sum", order, count: 257, sources, out });
      const expected = Tensor.over(out, { dtype, shape: [257] }).digest();
      const program = spmd(line(7), async (rank) => {
        const own = tensors[rank.index] ?? values();
        return (await rank.allReduce(own, { order })).digest();
      });
      expect(await program).toEqual(tensors.map(() => expected));
    },
  );

  it("takes tensors that are views, and empty ones", async () => {
    const sums = await spmd(line(2), async (rank) => {
      const square = fromValues([
        [1, 2],
        [3, 4 + rank.index],
      ]);
      const turned = await rank.allReduce(square.transpose());
      const empty = await rank.allReduce(values());
      return [numbers(turned), empty.size];
    });
    expect(sums).toEqual([
      [[2, 6, 4, 9], 0],
      [[2, 6, 4, 9], 0],
    ]);
  });
});

describe("reduce-scatter", () => {
  it("gives each rank its part, less or nothing to the last ones", async () => {
    const parts = await spmd(line(4), async (rank) =>
      numbers(await rank.reduceScatter(values(1, 2, 3, 4, 5), { op: "max" })),
    );
    expect(parts).toEqual([[1, 2], [3, 4], [5], []]);
  });

  it("splits the dimension it is told to", async () => {
    const own = fromValues([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const parts = await spmd(line(3), async (rank) =>
      (await rank.reduceScatter(own, { dim: -1 })).toArray(),
    );
    expect(parts).toEqual([
      [[3], [12]],
      [[6], [15]],
      [[9], [18]],
    ]);
  });
});

describe("all-gather", () => {
  it("joins in the order of the group, also what differs in length", async () => {
    const joined = await spmd(line(3), async (rank) => {
      const own = values(...Array.from({ length: rank.index }, () => rank.index));
      return numbers(await rank.allGather(own));
    });
    expect(joined).toEqual([
      [1, 2, 2],
      [1, 2, 2],
      [1, 2, 2],
    ]);
  });

  it("joins along another dimension", async () => {
    const joined = await spmd(line(2), async (rank) =>
      (await rank.allGather(fromValues([[rank.index], [rank.index + 10]]), { dim: 1 })).toArray(),
    );
    expect(joined[0]).toEqual([
      [0, 1],
      [10, 11],
    ]);
  });

  it("goes by the order of the axes as they are named", async () => {
    const joined = await spmd(grid(2, 2), async (rank) =>
      numbers(await rank.allGather(values(rank.index), { over: ["b", "a"] })),
    );
    expect(joined[0]).toEqual([0, 2, 1, 3]);
  });
});

describe("broadcast", () => {
  it("gives everyone the root's tensor; others need none", async () => {
    const got = await spmd(line(3), async (rank) => {
      const own = rank.index === 2 ? values(7, 8) : undefined;
      return numbers(await rank.broadcast(own, { root: 2 }));
    });
    expect(got).toEqual([
      [7, 8],
      [7, 8],
      [7, 8],
    ]);
  });

  it("needs the root's tensor, and a root that is there", async () => {
    const [first] = await outcomes(line(1), (rank) => rank.broadcast(undefined));
    expect(first).toMatchObject({ code: "E_COLLECTIVE" });
    const [second] = await outcomes(line(1), (rank) => rank.broadcast(values(1), { root: 1 }));
    expect(second).toMatchObject({ code: "E_COLLECTIVE" });
  });
});

describe("all-to-all", () => {
  it("turns rows into columns", async () => {
    const turned = await spmd(line(3), async (rank) =>
      numbers(await rank.allToAll(values(0, 1, 2).reshape([3]).to("f64"))).map(
        (part) => part * 10 + rank.index,
      ),
    );
    expect(turned).toEqual([
      [0, 0, 0],
      [11, 11, 11],
      [22, 22, 22],
    ]);
  });

  it("cuts one dimension and joins another", async () => {
    const own = fromValues([
      [1, 2],
      [3, 4],
    ]);
    const turned = await spmd(line(2), async (rank) =>
      (await rank.allToAll(own, { splitDim: 1, concatDim: 0 })).toArray(),
    );
    expect(turned).toEqual([
      [[1], [3], [1], [3]],
      [[2], [4], [2], [4]],
    ]);
  });

  it("takes parts of different length from each", async () => {
    const got = await spmd(line(2), async (rank) => {
      const own = rank.index === 0 ? values(1, 2, 3) : values(4);
      const parts = rank.index === 0 ? [1, 2] : [1, 0];
      return numbers(await rank.allToAll(own, { parts }));
    });
    expect(got).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });

  it.each([[[1]], [[1, 1]], [[3, -1]], [[1.5, 0.5]]])(
    "refuses the parts %j of two",
    async (parts) => {
      const refused = outcomes(line(2), (rank) => rank.allToAll(values(1, 2, 3), { parts }));
      expect((await refused)[0]).toMatchObject({ code: "E_COLLECTIVE" });
    },
  );
});

describe("messages", () => {
  it("between two ranks arrive in order, each tag by itself", async () => {
    const got = await spmd(line(2), async (rank) => {
      if (rank.index === 0) {
        const sends = [
          rank.send(values(1), 1),
          rank.send(values(2), 1, { tag: "late" }),
          rank.send(values(3), 1),
        ];
        await Promise.all(sends);
        return [];
      }
      const late = await rank.recv(0, { tag: "late" });
      const first = await rank.recv(0);
      const second = await rank.recv(0, { shape: [1], dtype: "f32" });
      return [late, first, second].map((one) => one.item());
    });
    expect(got).toEqual([[], [2, 1, 3]]);
  });

  it("to oneself need no other rank", async () => {
    const got = await spmd(line(1), async (rank) => {
      const sent = rank.send(values(4), 0);
      const received = await rank.recv(0);
      await sent;
      return received.item();
    });
    expect(got).toEqual([4]);
  });

  it("to a rank that is not there are refused", async () => {
    const [got] = await outcomes(line(2), async (rank) => await rank.send(values(1), 2));
    expect(got).toMatchObject({ code: "E_MESH_RANK" });
  });
});

describe("a barrier", () => {
  it("lets nobody through before everyone is there", async () => {
    const order: string[] = [];
    await spmd(line(3), async (rank) => {
      for (let at = 0; at < rank.index; at++) await Promise.resolve();
      order.push(`comes ${rank.index}`);
      await rank.barrier();
      order.push(`goes ${rank.index}`);
    });
    expect(order).toEqual(["comes 0", "comes 1", "comes 2", "goes 0", "goes 1", "goes 2"]);
  });
});
