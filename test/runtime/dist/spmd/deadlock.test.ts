import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deadlock,
  stuckRanks,
  type Waits,
  waitCycle,
} from "../../../../src/runtime/dist/spmd/deadlock.ts";
import { spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { grid, line, outcomes, values } from "./support.ts";

describe("ranks that wait for each other", () => {
  it("are told of it, with the circle", async () => {
    const all = await outcomes(line(3), async (rank) => await rank.recv((rank.index + 1) % 3));
    expect(all[0]).toMatchObject({ code: "E_DEADLOCK", exitCode: 1 });
    expect((all[0] as Error).message).toBe(
      "ranks 0-2 cannot go on, because they wait for each other: " +
        "rank 0 waits for rank 1 in recv from rank 1, tag 0; " +
        "rank 1 waits for rank 2 in recv from rank 2, tag 0; " +
        "rank 2 waits for rank 0 in recv from rank 0, tag 0.",
    );
    expect(new Set(all).size).toBe(1);
  });

  it("include two that both await their send first", async () => {
    const all = await outcomes(line(2), async (rank) => {
      await rank.send(values(1), 1 - rank.index);
      return await rank.recv(1 - rank.index);
    });
    expect(all[0]).toMatchObject({ code: "E_DEADLOCK" });
  });

  it("do not include two that await their send last", async () => {
    const all = await spmd(line(2), async (rank) => {
      const sent = rank.send(values(rank.index), 1 - rank.index);
      const got = await rank.recv(1 - rank.index);
      await sent;
      return got.item();
    });
    expect(all).toEqual([1, 0]);
  });

  it("are found when they call the same collectives in different orders", async () => {
    const all = await outcomes(grid(2, 2), async (rank) => {
      const axes = rank.index === 0 || rank.index === 3 ? ["a", "b"] : ["b", "a"];
      for (const over of axes) await rank.allReduce(values(1), { over });
    });
    expect(all[0]).toMatchObject({ code: "E_DEADLOCK" });
    expect(all[3]).toBe(all[0]);
  });

  it("are found when tags do not fit", async () => {
    const all = await outcomes(line(2), async (rank) =>
      rank.index === 0
        ? await rank.send(values(1), 1, { tag: 1 })
        : await rank.recv(0, { tag: "1" }),
    );
    expect(all[0]).toMatchObject({ code: "E_DEADLOCK" });
    expect((all[0] as Error).message).toContain("rank 0 waits for rank 1 in send");
  });

  it("are found while other ranks are busy with something else", async () => {
    let release = () => {};
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    const all = await outcomes(line(3), async (rank) => {
      if (rank.index === 2) return await busy.then(() => "done");
      try {
        return await rank.recv(1 - rank.index);
      } finally {
        release();
      }
    });
    expect(all[0]).toMatchObject({ code: "E_DEADLOCK", details: { stuck: [0, 1] } });
    expect(all[2]).toBe("done");
  });

  it("include a rank that waits for itself", async () => {
    const [all] = await outcomes(line(1), (rank) => rank.recv(0));
    expect(all).toMatchObject({ code: "E_DEADLOCK" });
  });
});

describe("a rank that waits for something else", () => {
  it("is not blocked, however long that takes", async () => {
    const all = await spmd(line(2), async (rank) => {
      if (rank.index === 0) {
        for (let at = 0; at < 20; at++) await turn();
        await rank.send(values(3), 1);
        return 0;
      }
      return (await rank.recv(0)).item();
    });
    expect(all).toEqual([0, 3]);
  });

  it("is not blocked by a call it has started and not awaited", async () => {
    const all = await spmd(line(2), async (rank) => {
      const other = 1 - rank.index;
      const got = rank.recv(other);
      await turn();
      await turn();
      const sent = rank.send(values(rank.index), other);
      const value = (await got).item();
      await sent;
      return value;
    });
    expect(all).toEqual([1, 0]);
  });

  it("beside a call that it awaits, says so", async () => {
    const exchange = async (isTold: boolean) =>
      await outcomes(line(2), async (rank) => {
        const other = 1 - rank.index;
        const readThenSend = async () => {
          await (isTold ? rank.outside(() => turn()) : turn());
          await rank.send(values(rank.index), other);
        };
        const [got] = await Promise.all([rank.recv(other), readThenSend()]);
        return got.item();
      });
    expect(await exchange(true)).toEqual([1, 0]);
    expect((await exchange(false))[0]).toMatchObject({ code: "E_DEADLOCK" });
  });
});

describe("the search for stuck ranks", () => {
  const one = (...missing: number[]) => ({ wish: `wait for ${missing.join()}`, missing });

  it("finds nobody where one may go on", () => {
    const waits: Waits = new Map([
      [0, []],
      [1, [one(0)]],
      [2, [one(1)]],
    ]);
    expect(stuckRanks(waits)).toEqual([]);
  });

  it("needs all of a group, but only one of several calls", () => {
    const waits: Waits = new Map([
      [0, []],
      [1, [one(0, 2)]],
      [2, [one(1)]],
      [3, [one(1), one(0)]],
    ]);
    expect(stuckRanks(waits)).toEqual([1, 2]);
  });

  it("gives a circle of waiting ranks for whatever is stuck", () => {
    const size = 6;
    const wait = fc
      .array(fc.nat(size - 1), { minLength: 1, maxLength: 3 })
      .map((missing) => ({ wish: "x", missing }));
    const all = fc.array(fc.array(wait, { maxLength: 2 }), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(all, (list) => {
        const waits: Waits = new Map(list.entries());
        const stuck = stuckRanks(waits);
        if (stuck.length === 0) return;
        const cycle = waitCycle(waits, stuck);
        for (const [at, { rank, waitsFor }] of cycle.entries()) {
          expect(stuck).toContain(rank);
          expect(cycle[(at + 1) % cycle.length]?.rank).toBe(waitsFor);
          expect(waits.get(rank)?.some(({ missing }) => missing.includes(waitsFor))).toBe(true);
        }
        expect(deadlock(waits, stuck).message).toContain(`rank ${cycle[0]?.rank} waits for`);
      }),
      { numRuns: 300 },
    );
  });
});
