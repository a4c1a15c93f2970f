import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeLock } from "../../../src/chaos/ledger/recovery-lock.ts";
import { MemoryFiles } from "./memory-files.ts";

const folder = "/ledgers";
const ledger = "r.ledger.jsonl";
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function lockOptions(files: MemoryFiles, pid: number, isGone: (pid: number) => boolean) {
  return {
    files,
    folder,
    ledger,
    self: { pid, startTicks: "1", home: "here" },
    nowMs: () => 0,
    holdMs: 1000,
    isGone: async (holder: { readonly pid: number }) => isGone(holder.pid),
  };
}

describe("the lock of a recovery", () => {
  it("is taken by one at a time, is free when it is released, and outlives nobody", async () => {
    const files = new MemoryFiles();
    const first = await takeLock(lockOptions(files, 1, () => false));
    expect(first).toBeDefined();
    expect(await takeLock(lockOptions(files, 2, () => false))).toBeUndefined();
    await first?.release();
    expect(await takeLock(lockOptions(files, 2, () => false))).toBeDefined();
    expect(await takeLock(lockOptions(files, 3, (pid) => pid === 2))).toBeDefined();
    // Only the newest is kept.
    expect(files.files.size).toBe(1);
  });

  it("is not taken by one whose list of locks is old", async () => {
    const files = new MemoryFiles();
    await takeLock(lockOptions(files, 1, () => false));
    await takeLock(lockOptions(files, 2, (pid) => pid === 1));
    const list = files.list.bind(files);
    let isFirst = true;
    files.list = async (where) => {
      if (!isFirst) return list(where);
      isFirst = false;
      return [];
    };
    expect(await takeLock(lockOptions(files, 3, (pid) => pid === 1))).toBeUndefined();
    expect([...files.files.keys()]).toEqual([`${folder}/${ledger}.lock.2`]);
  });

  it("has one living holder, whoever dies or releases whenever", async () => {
    const plan = fc.array(fc.constantFrom("release", "die"), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan, { minLength: 2, maxLength: 4 }),
        fc.array(fc.nat({ max: 4 }), { minLength: 97, maxLength: 97 }),
        async (plans, pauses) => {
          const files = new MemoryFiles();
          let at = 0;
          files.before = async () => {
            for (let left = pauses[at++ % pauses.length] ?? 0; left > 0; left--) await turn();
          };
          const gone = new Set<number>();
          const holders = new Set<number>();
          let held = 0;
          const worker = async (endings: readonly string[], number: number) => {
            for (const [time, ending] of endings.entries()) {
              // A process that died comes back as another one.
              const pid = 10 * (number + 1) + time;
              const lock = await takeLock(lockOptions(files, pid, (one) => gone.has(one)));
              if (lock === undefined) continue;
              expect(holders.size, "somebody else holds it").toBe(0);
              holders.add(pid);
              held++;
              await turn();
              holders.delete(pid);
              if (ending === "die") gone.add(pid);
              else await lock.release();
            }
          };
          await Promise.all(plans.map(worker));
          expect(held).toBeGreaterThan(0);
        },
      ),
      { numRuns: 150 },
    );
  });
});
