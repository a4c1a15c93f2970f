import { describe, expect, test } from "vitest";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { provenIn } from "../../../support/checkpoint/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { worldHere } from "../../ranks/support/here.ts";
import { columns, distributed, partOf } from "./rank-parts.ts";
import { dist, tensor } from "./runtime.ts";
import { manifestIn, namesIn, place, root } from "./support.ts";

describe("ranks that save together", () => {
  test("write one checkpoint, each its own parts, with the digests of the wholes", async () => {
    const { files, clock } = place();
    const worlds = await worldHere(4);
    // Columns of over a MiB: leaves of the digest lie on both halves.
    const wide = distributed([300, 1500], columns);
    const rows = distributed([10, 3], dist.shardSpec({ partition: [0], meshAxes: [["dp", "tp"]] }));
    const cyclic = distributed(
      [9],
      dist.shardSpec({ partition: [0], meshAxes: ["tp"], cyclic: true }),
    );
    const b = tensor.fromValues([1, 2, 3]);
    const stateOf = (rank: number): State => ({
      model: {
        wide: partOf(wide, rank),
        rows: partOf(rows, rank),
        cyclic: partOf(cyclic, rank),
        b,
      },
      optimizer: { step: 7, rate: 0.1 },
    });
    const all = await Promise.all(
      worlds.map((world) => save("a", stateOf(world.rank), { root, files, clock, world })),
    );
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(all[0]).toMatchObject({ name: "a", step: 7, tensors: 4, files: 4 });
    const [proven] = await provenIn(files, root);
    expect(Object.fromEntries(proven?.digests ?? [])).toEqual({
      "model/b": b.digest(),
      "model/cyclic": cyclic.digest(),
      "model/rows": rows.digest(),
      "model/wide": wide.digest(),
    });
    expect(await namesIn(files)).toEqual(["a"]);
    // The same state from one process has the same plan and the same bytes.
    const alone = place();
    const model = { wide, rows, cyclic, b };
    await save("a", { model, optimizer: { step: 7, rate: 0.1 } }, alone);
    const { planHash, tensors, files: shards } = manifestIn(files, "a");
    expect(manifestIn(alone.files, "a")).toMatchObject({ planHash, tensors, files: shards });
  });

  test("save again and sweep the first, on a real disk", async () => {
    const folder = await tempDir();
    const worlds = await worldHere(2);
    const names: (readonly string[])[] = [];
    for (const step of [1, 2]) {
      const all = await Promise.all(
        worlds.map((world) => save("a", { step }, { root: folder, world })),
      );
      names.push(all.map(({ name }) => name));
    }
    expect(names).toEqual([
      ["a", "a"],
      ["a~2", "a~2"],
    ]);
  });

  const refusals: readonly [string, (rank: number) => State, string][] = [
    [
      "replicas with other bits",
      (rank) => ({ x: tensor.fromValues([1, rank === 2 ? 3 : 2]), y: tensor.ones([2]) }),
      "x has other bits on rank 2 than on its replica, rank 0",
    ],
    [
      "other values",
      (rank) => ({ lr: rank === 1 ? 0.2 : 0.1 }),
      "rank 1 has other values than rank 0",
    ],
    [
      "another step",
      (rank) => ({ optimizer: { step: rank === 3 ? 5 : 4 } }),
      "rank 3 has other tensors, another step or other options than rank 0",
    ],
    [
      "other tensors",
      (rank) =>
        rank === 1 ? { x: tensor.ones([2]), y: tensor.ones([1]) } : { x: tensor.ones([2]) },
      "rank 1 has other tensors",
    ],
  ];
  test.each(refusals)(
    "refuse %s, every one of them, before anything is written",
    async (_, stateOf, problem) => {
      const { files, clock } = place();
      const worlds = await worldHere(4);
      const all = await Promise.allSettled(
        worlds.map((world) => save("a", stateOf(world.rank), { root, files, clock, world })),
      );
      for (const end of all) {
        expect(end).toMatchObject({ status: "rejected", reason: { code: "E_CHECKPOINT_STATE" } });
        if (end.status === "rejected") expect(String(end.reason)).toContain(problem);
      }
      expect(files.operations).toBe(0);
    },
  );

  test("hear of one that cannot even take its state, and save the next", async () => {
    const { files, clock } = place();
    const worlds = await worldHere(3);
    const saveAll = (stateOf: (rank: number) => State) =>
      Promise.allSettled(
        worlds.map((world) => save("a", stateOf(world.rank), { root, files, clock, world })),
      );
    const ends = await saveAll((rank) => (rank === 1 ? { f: (() => 1) as never } : { f: 1 }));
    for (const end of ends) {
      expect(end).toMatchObject({ status: "rejected", reason: { code: "E_CHECKPOINT_STATE" } });
      if (end.status === "rejected") expect(String(end.reason)).toContain("f is function");
    }
    const next = await saveAll(() => ({ f: 1 }));
    expect(next.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  });

  test("all stop when one is told to", async () => {
    const { files, clock } = place();
    const worlds = await worldHere(2);
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    const ends = await Promise.allSettled(
      worlds.map((world) => {
        const own = world.rank === 1 ? { signal: stop.signal } : {};
        return save("a", { step: 1 }, { root, files, clock, world, ...own });
      }),
    );
    expect(ends[1]).toEqual({ status: "rejected", reason: stop.signal.reason });
    expect(ends[0]).toMatchObject({ reason: { code: "E_CHECKPOINT_WRITE" } });
    expect(files.operations).toBe(0);
  });

  test("all fail when one cannot write, naming the rank, and nothing is left", async () => {
    const { files, clock } = place();
    const worlds = await worldHere(4);
    const wide = distributed([4, 6], columns);
    const failing = new Proxy(files, {
      get: (target, name) => {
        if (name === "create") {
          return () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const ends = await Promise.allSettled(
      worlds.map((world) => {
        const own = world.rank === 1 ? failing : files;
        return save("a", { x: partOf(wide, world.rank) }, { root, files: own, clock, world });
      }),
    );
    for (const end of ends) {
      expect(end).toMatchObject({ status: "rejected", reason: { code: "E_CHECKPOINT_WRITE" } });
    }
    expect(String(ends[0]?.status === "rejected" && ends[0].reason)).toContain("rank 1 failed");
    expect(await namesIn(files)).toEqual([]);
    const again = worlds.map((world) =>
      save("a", { x: partOf(wide, world.rank) }, { root, files, clock, world }),
    );
    expect((await Promise.all(again)).map(({ name }) => name)).toEqual(["a", "a", "a", "a"]);
  });
});
