import { describe, expect, test } from "vitest";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { World } from "../../../../src/runtime/ranks/index.ts";
import { provenIn } from "../../../support/checkpoint/index.ts";
import { joinHere, rendezvousHere } from "../../ranks/support/here.ts";
import { distributed, partOf } from "./rank-parts.ts";
import { dist } from "./runtime.ts";
import { codeOf, namesIn, place, root } from "./support.ts";

describe("ranks that save together and lose one", () => {
  test.each(["create", "sync", "makeFolder of the other"])(
    "a rank that dies at its %s leaves no COMMIT, and every survivor hears which it was",
    async (when) => {
      const { files, clock } = place();
      const { place: where } = await rendezvousHere(4);
      const stop = new AbortController();
      const worlds = await Promise.all(
        [0, 1, 2, 3].map((rank): Promise<World> => {
          const mortal = rank === 2 ? { signal: stop.signal } : {};
          return joinHere(where, { rank, worldSize: 4, ...mortal });
        }),
      );
      const rows = distributed(
        [8, 2],
        dist.shardSpec({ partition: [0], meshAxes: [["dp", "tp"]] }),
      );
      const dying = new Proxy(files, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          if (name !== "create" || when !== "create") return value.bind(target);
          return () => {
            stop.abort(new Error("killed"));
            return new Promise(() => {});
          };
        },
      });
      if (when === "makeFolder of the other") stop.abort(new Error("killed"));
      if (when === "sync") {
        const create = files.create.bind(files);
        Object.assign(files, {
          create: async (path: string) => {
            const writer = await create(path);
            if (!path.includes("00002-of")) return writer;
            return {
              ...writer,
              sync: () => {
                stop.abort(new Error("killed"));
                return Promise.reject(new Error("killed"));
              },
            };
          },
        });
      }
      const saved = worlds.map((world) => {
        const own = world.rank === 2 ? dying : files;
        return codeOf(
          save("a", { x: partOf(rows, world.rank) }, { root, files: own, clock, world }),
        );
      });
      const codes = await Promise.all(saved.toSpliced(2, 1));
      expect(codes).toEqual(["E_RANK_LOST", "E_RANK_LOST", "E_RANK_LOST"]);
      expect(files.log.filter((line) => line.includes("COMMIT"))).toEqual([]);
      expect(await provenIn(files, root)).toEqual([]);
    },
  );

  /** Four ranks save; one is killed right after the lead renamed something to such a path. */
  async function killedAfterRename(killed: number, isMoment: (to: string) => boolean) {
    const { files, clock } = place();
    const { place: where } = await rendezvousHere(4);
    const stop = new AbortController();
    const worlds = await Promise.all(
      [0, 1, 2, 3].map((rank): Promise<World> => {
        const mortal = rank === killed ? { signal: stop.signal } : {};
        return joinHere(where, { rank, worldSize: 4, ...mortal });
      }),
    );
    const rename = files.rename.bind(files);
    Object.assign(files, {
      rename: async (from: string, to: string) => {
        await rename(from, to);
        if (!isMoment(to)) return;
        stop.abort(new Error("killed"));
        await Promise.all(worlds.map(({ signal }) => aborted(signal)));
      },
    });
    const rows = distributed([8, 2], dist.shardSpec({ partition: [0], meshAxes: [["dp", "tp"]] }));
    const ends = await Promise.allSettled(
      worlds.map((world) =>
        save("a", { x: partOf(rows, world.rank) }, { root, files, clock, world }),
      ),
    );
    return { files, survivors: ends.toSpliced(killed, 1) };
  }

  test.each([0, 2])(
    "know that the checkpoint is valid when rank %i is lost after its COMMIT",
    async (killed) => {
      const isMoment = (to: string) => to.endsWith("/COMMIT");
      const { files, survivors } = await killedAfterRename(killed, isMoment);
      for (const end of survivors) {
        expect(end).toMatchObject({
          status: "fulfilled",
          value: {
            name: "a",
            folder: `${root}/a`,
            removed: [],
            notes: [expect.stringMatching(new RegExp(`committed and valid.*rank ${killed}`, "i"))],
          },
        });
      }
      expect(await provenIn(files, root)).toHaveLength(1);
    },
  );

  test.each([0, 2])("have no checkpoint when rank %i is lost before its COMMIT", async (killed) => {
    const isMoment = (to: string) => to === `${root}/a`;
    const { files, survivors } = await killedAfterRename(killed, isMoment);
    for (const end of survivors) {
      expect(end).toMatchObject({ status: "rejected", reason: { code: "E_RANK_LOST" } });
    }
    expect(files.log.filter((line) => line.includes("COMMIT"))).toEqual([]);
    expect(await namesIn(files)).toEqual([]);
  });
});

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
