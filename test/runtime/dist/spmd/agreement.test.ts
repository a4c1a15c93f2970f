import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { barrierCall } from "../../../../src/runtime/dist/spmd/calls/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { World } from "../../../../src/runtime/dist/spmd/world.ts";
import { zeros } from "../../../../src/runtime/tensor/index.ts";
import { grid, line, outcomes, values } from "./support.ts";

describe("ranks that disagree", () => {
  const x = values(1, 2);

  it.each<[string, (rank: Rank) => Promise<unknown>]>([
    ["operation", (rank) => rank.allGather(x)],
    ["shape", (rank) => rank.allReduce(values(1))],
    ["dtype", (rank) => rank.allReduce(x.to("f64"))],
    ["reduce operation", (rank) => rank.allReduce(x, { op: "max" })],
    ["order", (rank) => rank.allReduce(x, { order: "ring" })],
  ])("in the %s all get the same error, which names them", async (what, odd) => {
    const all = await outcomes(line(4), async (rank) =>
      rank.index === 2 ? await odd(rank) : await rank.allReduce(x),
    );
    expect(all[0]).toMatchObject({ code: "E_DESYNC", details: { what } });
    expect((all[0] as Error).message).toMatch(
      /ranks 0-1, 3 called all-reduce \(sum\) of f32\[2\]; rank 2 called /,
    );
    expect(new Set(all).size).toBe(1);
  });

  it("in the order of the axes get the error, and name the same axes in other words freely", async () => {
    const gather = (over: readonly string[]) =>
      outcomes(grid(2, 2), (rank) => rank.allGather(x, rank.index === 3 ? { over } : {}));
    expect((await gather(["b", "a"]))[0]).toMatchObject({
      code: "E_DESYNC",
      details: { what: "axes" },
    });
    expect((await gather(["a", "b"]))[0]).toMatchObject({ shape: [8] });
    expect((await gather([]))[3]).toMatchObject({ code: "E_COLLECTIVE" });
  });

  it("may gather what differs along the dimension that is joined, and nowhere else", async () => {
    const gather = (shape: readonly number[]) =>
      outcomes(line(2), (rank) => rank.allGather(zeros(rank.index === 0 ? [1, 2] : shape)));
    expect((await gather([5, 2]))[0]).toMatchObject({ shape: [6, 2] });
    expect((await gather([1, 3]))[0]).toMatchObject({ code: "E_DESYNC" });
  });

  it("about the shape of a message both get the error", async () => {
    const all = await outcomes(line(2), async (rank) =>
      rank.index === 0 ? await rank.send(x, 1) : await rank.recv(0, { shape: [3] }),
    );
    expect(all[0]).toMatchObject({ code: "E_DESYNC", details: { what: "shape" } });
    expect(all[1]).toBe(all[0]);
  });

  it("may go on together after the error", async () => {
    const all = await spmd(line(2), async (rank) => {
      const first = rank.allReduce(rank.index === 0 ? x : values(1));
      await expect(first).rejects.toMatchObject({ code: "E_DESYNC" });
      return (await rank.allReduce(values(1))).item();
    });
    expect(all).toEqual([2, 2]);
  });

  it("let the whole run fail with it when nobody catches it", async () => {
    const run = spmd(line(2), (rank) => rank.allReduce(rank.index === 0 ? x : values(1)));
    await expect(run).rejects.toMatchObject({ code: "E_DESYNC", exitCode: 1 });
  });
});

describe("an operation that cannot be carried out", () => {
  it("fails for all alike", async () => {
    const world = new World(line(2), () => {
      throw new Error("no time model");
    });
    const members = [0, 1];
    const calls = world.states.map((state) =>
      world.call(
        state,
        { key: "all", members, seat: state.rank, isChannel: false },
        barrierCall({}),
      ),
    );
    for (const call of calls) await expect(call).rejects.toThrow("no time model");
  });
});

describe("a rank that ends too early", () => {
  it("is named to those who wait for it", async () => {
    const all = await outcomes(line(3), async (rank) => {
      await rank.barrier();
      if (rank.index === 1) return "gone";
      return await rank.allReduce(values(1));
    });
    expect(all[1]).toBe("gone");
    expect(all[0]).toMatchObject({ code: "E_DESYNC" });
    expect((all[0] as Error).message).toContain("rank 1 had ended after 1 calls");
    expect(all[2]).toBe(all[0]);
  });

  it("is named to those who come later", async () => {
    const all = await outcomes(grid(1, 2), async (rank) => {
      if (rank.index === 1) return "gone";
      await turn();
      return await rank.recv(1);
    });
    expect(all[0]).toMatchObject({ code: "E_DESYNC" });
  });
});

describe("a rank that throws", () => {
  const boom = new Error("boom");
  const program = async (rank: Rank) => {
    if (rank.index === 1) throw boom;
    return await rank.allReduce(values(1));
  };

  it("gives those who wait for it its error, with its name", async () => {
    const caught: unknown[] = [];
    const run = spmd(line(3), async (rank) => {
      try {
        return await program(rank);
      } catch (error) {
        caught.push(error);
        throw error;
      }
    });
    await expect(run).rejects.toMatchObject({
      code: "E_RANK_FAILED",
      message: "The program of rank 1 (device 1) failed: boom",
      cause: boom,
    });
    expect(caught.map((error) => (error as Error).message)).toEqual([
      "boom",
      "The program of rank 1 (device 1) failed: boom",
      "The program of rank 1 (device 1) failed: boom",
    ]);
  });

  it("before its first await is no different", async () => {
    const run = spmd(line(2), (rank) => {
      if (rank.index === 0) throw boom;
      return rank.barrier();
    });
    await expect(run).rejects.toMatchObject({ code: "E_RANK_FAILED", details: { rank: 0 } });
  });

  it("on a bad argument is told so itself", async () => {
    const run = spmd(line(2), (rank) => rank.allReduce(values(1), { over: "tp" }));
    await expect(run).rejects.toMatchObject({
      code: "E_RANK_FAILED",
      cause: { code: "E_MESH_AXIS" },
    });
    const unknown = spmd(line(2), (rank) => rank.allReduce(values(1), { op: "median" as "sum" }));
    await expect(unknown).rejects.toMatchObject({ cause: { code: "E_COLLECTIVE" } });
  });
});

describe("a call that nobody awaits", () => {
  it("is answered like any other", async () => {
    const got = await spmd(line(2), async (rank) => {
      if (rank.index === 0) {
        void rank.send(values(5), 1);
        return 0;
      }
      return (await rank.recv(0)).item();
    });
    expect(got).toEqual([0, 5]);
  });

  it("and that never is answered lets the run fail", async () => {
    const run = spmd(line(2), (rank) => {
      if (rank.index === 0) void rank.send(values(5), 1);
    });
    await expect(run).rejects.toMatchObject({ code: "E_DESYNC" });
  });

  it("made after the program has ended lets the run fail too", async () => {
    const run = spmd(line(2), async (rank) => {
      const callLate = async () => {
        await turn();
        void rank.barrier();
      };
      if (rank.index === 0) void callLate();
      else for (let at = 0; at < 5; at++) await turn();
    });
    await expect(run).rejects.toThrow("rank 0 called barrier after its program had ended");
  });
});
