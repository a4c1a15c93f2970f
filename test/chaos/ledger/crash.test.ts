import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LedgerEntry, openLedger, recoverLedgers } from "../../../src/chaos/ledger/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { MemoryFiles } from "./memory-files.ts";

const folder = "/ledgers";
const clock = new VirtualClock();
const targets = ["a", "b", "c"] as const;
const identity = (pid: number) => ({ pid, startTicks: "1", home: "here" });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What is broken in a small world: undoing something twice is undoing it once. */
class SmallWorld {
  readonly broken = new Set<string>();
  undos = 0;

  readonly undo = async ({ target }: LedgerEntry): Promise<void> => {
    this.undos++;
    this.broken.delete(target);
  };
}

/** Breaks three things and puts one right, with the power cut somewhere. */
async function runWithPowerCut(files: MemoryFiles, world: SmallWorld): Promise<void> {
  const owner = identity(1);
  const ledger = await openLedger({ folder, run: "r", clock, files, owner });
  for (const target of targets) {
    const id = await ledger.plan({ fault: "f", target, undo: { kind: "heal", data: {} } });
    world.broken.add(target);
    await ledger.activate(id);
  }
  await ledger.revert("2", world.undo);
}

const recover = (files: MemoryFiles, world: SmallWorld, pid: number) =>
  recoverLedgers({
    folder,
    clock,
    files,
    executor: world.undo,
    self: identity(pid),
    // Whoever lost power is gone.
    isRunning: async (who) => who.pid === pid,
  });

describe("a power cut", () => {
  it("at any byte of a run loses no undo", async () => {
    const whole = new MemoryFiles();
    await runWithPowerCut(whole, new SmallWorld());
    const bytes = [...whole.files.values()].join("").length;
    expect(bytes).toBeGreaterThan(300);
    for (let at = 0; at <= bytes; at++) {
      const files = new MemoryFiles();
      const world = new SmallWorld();
      files.left = at;
      await runWithPowerCut(files, world).catch(() => {});
      files.left = Number.POSITIVE_INFINITY;
      const { damaged, failed } = await recover(files, world, 2);
      expect([...world.broken], `cut after ${at} bytes`).toEqual([]);
      expect([damaged, failed], `cut after ${at} bytes`).toEqual([[], []]);
      expect(files.files.size, `cut after ${at} bytes`).toBe(0);
    }
  });

  it("at any byte of a recovery, and of the one after it, loses no undo either", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 900 }),
        fc.array(fc.nat({ max: 500 }), { maxLength: 4 }),
        async (first, cuts) => {
          const files = new MemoryFiles();
          const world = new SmallWorld();
          files.left = first;
          await runWithPowerCut(files, world).catch(() => {});
          for (const [at, bytes] of cuts.entries()) {
            files.left = bytes;
            await recover(files, world, 2 + at).catch(() => {});
          }
          files.left = Number.POSITIVE_INFINITY;
          const { damaged } = await recover(files, world, 100);
          expect([...world.broken]).toEqual([]);
          expect(damaged).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("several recoveries at once", () => {
  it("undo each thing once, however their steps fall", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { minLength: 400, maxLength: 400 }),
        async (pauses) => {
          const files = new MemoryFiles();
          const world = new SmallWorld();
          await runWithPowerCut(files, world);
          world.undos = 0;
          let at = 0;
          files.before = async () => {
            for (let left = pauses[at++ % pauses.length] ?? 0; left > 0; left--) await turn();
          };
          const all = await Promise.all(
            [2, 3, 4].map((pid) =>
              recoverLedgers({
                folder,
                clock,
                files,
                executor: world.undo,
                self: identity(pid),
                isRunning: async (who) => who.pid !== 1,
              }),
            ),
          );
          expect(world.undos).toBe(2);
          expect(all.flatMap(({ undone }) => undone)).toHaveLength(2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("pass by the lock of one that died, and not that of one at work", async () => {
    const files = new MemoryFiles();
    const world = new SmallWorld();
    await runWithPowerCut(files, world);
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const recoverAs = (pid: number, living: readonly number[], executor = world.undo) =>
      recoverLedgers({
        folder,
        clock,
        files,
        executor,
        self: identity(pid),
        isRunning: async (who) => living.includes(who.pid),
      });
    const first = recoverAs(2, [2], async () => stuck);
    await turn();
    await turn();
    expect(await recoverAs(3, [2, 3])).toMatchObject({ left: ["r"], undone: [] });
    // Its process is killed in the middle of an undo.
    expect(await recoverAs(3, [3])).toMatchObject({ left: [], undone: [{}, {}] });
    expect([...world.broken]).toEqual([]);
    release();
    await first.catch(() => {});
  });
});
