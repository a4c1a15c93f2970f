import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type LedgerEntry,
  openLedger,
  recoverLedgers,
  residualIn,
} from "../../../src/chaos/ledger/index.ts";
import { ownIdentity } from "../../../src/platform/process/process-identity.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { MemoryFiles } from "./memory-files.ts";

let folder = "";
const clock = new VirtualClock();
const cut = (target: string) => ({
  fault: "partition",
  target,
  undo: { kind: "heal", data: { target } },
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-ledger-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** An executor that remembers what it was asked to take back. */
function remembering(fail: (target: string) => boolean = () => false) {
  const undone: string[] = [];
  const executor = async ({ target }: LedgerEntry) => {
    if (fail(target)) throw new Error(`no way to ${target}`);
    undone.push(target);
  };
  return { undone, executor };
}

describe("a ledger", () => {
  it("has an injection on the disk before it is in force, and its end after", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    const id = await ledger.plan(cut("rank 3"));
    expect(await readFile(ledger.file, "utf8")).toContain('"heal"');
    expect((await residualIn(folder)).entries).toMatchObject([
      { id, run: "run-1", state: "planned", target: "rank 3", owner: { pid: process.pid } },
    ]);
    await ledger.activate(id);
    expect(ledger.residual()).toMatchObject([{ state: "active" }]);
    const { undone, executor } = remembering();
    await ledger.revert(id, executor);
    await ledger.revert(id, executor);
    expect(undone).toEqual(["rank 3"]);
    expect(ledger.residual()).toEqual([]);
    expect((await residualIn(folder)).entries).toEqual([]);
    await ledger.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it("takes back everything in reverse, and what cannot be taken back is left", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    for (const target of ["a", "b", "c"]) await ledger.plan(cut(target));
    const { undone, executor } = remembering((target) => target === "b");
    expect(await ledger.revertAll(executor)).toMatchObject([
      { target: "b", state: "failed", problem: "no way to b" },
    ]);
    expect(undone).toEqual(["c", "a"]);
    await ledger.close();
    // The file stays for whoever can.
    expect((await residualIn(folder)).entries).toMatchObject([{ target: "b", state: "failed" }]);
  });

  it("undoes once when two ask at once", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    const id = await ledger.plan(cut("a"));
    const { undone, executor } = remembering();
    await Promise.all([ledger.revert(id, executor), ledger.revertAll(executor)]);
    expect(undone).toEqual(["a"]);
  });

  it("refuses a second one of the same run, and a run whose name leads elsewhere", async () => {
    await openLedger({ folder, run: "run-1", clock });
    await expect(openLedger({ folder, run: "run-1", clock })).rejects.toMatchObject({
      code: "E_LEDGER",
      message: expect.stringContaining("already"),
    });
    for (const run of ["../x", "", "a/b", "a b", ".hidden"]) {
      await expect(openLedger({ folder, run, clock })).rejects.toMatchObject({ code: "E_LEDGER" });
    }
  });

  it("refuses an injection that the disk does not take", async () => {
    const files = new MemoryFiles();
    const ledger = await openLedger({ folder: "/l", run: "run-1", clock, files });
    files.left = 20;
    await expect(ledger.plan(cut("a"))).rejects.toMatchObject({ code: "E_LEDGER" });
    expect(ledger.residual()).toEqual([]);
    // There is room again: what was torn does not spoil what comes after.
    files.left = Number.POSITIVE_INFINITY;
    await ledger.plan(cut("b"));
    expect(await residualIn("/l", files)).toMatchObject({
      entries: [{ target: "b" }],
      damaged: [],
    });
  });

  it("in which a line is spoilt says so, and keeps the others", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    for (const target of ["a", "b", "c"]) await ledger.plan(cut(target));
    const lines = (await readFile(ledger.file, "utf8")).split("\n");
    lines[2] = "{spoilt";
    await writeFile(ledger.file, lines.join("\n"));
    const { entries, damaged } = await residualIn(folder);
    expect(entries.map(({ target }) => target)).toEqual(["a", "c"]);
    expect(damaged).toEqual([ledger.file]);
  });

  it("takes nothing that was reverted for something in force again", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    const id = await ledger.plan(cut("a"));
    await ledger.revert(id, async () => {});
    // Somebody who was slow to hear of it.
    await appendFile(ledger.file, `${JSON.stringify({ type: "active", id })}\n`);
    expect((await residualIn(folder)).entries).toEqual([]);
  });

  it("keeps what undo needs, whatever characters it has", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    const undo = {
      kind: "heal",
      data: { name: 'größe \u2028 \n " 😀', deep: { list: [1, null] } },
    };
    await ledger.plan({ fault: "partition", target: "ä", undo });
    expect((await residualIn(folder)).entries).toMatchObject([{ target: "ä", undo }]);
  });
});

describe("a recovery", () => {
  const gone = { isRunning: async () => false };

  it("takes back what a dead owner left, last injected first, and the ledger with it", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    for (const target of ["a", "b", "c"]) await ledger.plan(cut(target));
    await ledger.revert("2", async () => {});
    const { undone, executor } = remembering();
    const recovery = await recoverLedgers({ folder, clock, executor, ...gone });
    expect(undone).toEqual(["c", "a"]);
    expect(recovery.undone.map(({ target }) => target)).toEqual(["c", "a"]);
    expect(recovery.damaged).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    expect(await recoverLedgers({ folder, clock, executor, ...gone })).toMatchObject({
      undone: [],
    });
    expect(undone).toHaveLength(2);
  });

  it("leaves a run alone whose owner is at work", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    await ledger.plan(cut("a"));
    const { undone, executor } = remembering();
    const recovery = await recoverLedgers({ folder, clock, executor });
    expect(recovery).toMatchObject({ left: ["run-1"], undone: [] });
    expect(undone).toEqual([]);
  });

  it("takes over from an owner that runs but does not renew its lease", async () => {
    const own = new VirtualClock();
    const ledger = await openLedger({ folder, run: "run-1", clock: own, leaseMs: 1000 });
    await ledger.plan(cut("a"));
    await own.advance(900);
    await ledger.renew();
    await own.advance(900);
    const { undone, executor } = remembering();
    await recoverLedgers({ folder, clock: own, executor });
    expect(undone).toEqual([]);
    await own.advance(101);
    await recoverLedgers({ folder, clock: own, executor });
    expect(undone).toEqual(["a"]);
    // The owner is told when it comes back.
    await expect(ledger.plan(cut("b"))).rejects.toMatchObject({ code: "E_LEDGER" });
  });

  it("takes back what a process left that was killed, and not before", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    try {
      const owner = { ...(await ownIdentity()), pid: child.pid ?? 0, startTicks: null };
      const ledger = await openLedger({ folder, run: "run-1", clock, owner });
      await ledger.plan(cut("a"));
      const { undone, executor } = remembering();
      expect(await recoverLedgers({ folder, clock, executor })).toMatchObject({ left: ["run-1"] });
      child.kill("SIGKILL");
      await once(child, "exit");
      await recoverLedgers({ folder, clock, executor });
      expect(undone).toEqual(["a"]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("waits for the lease of an owner on another machine", async () => {
    const own = new VirtualClock();
    const owner = { pid: 1, startTicks: "1", home: "elsewhere" };
    const ledger = await openLedger({ folder, run: "run-1", clock: own, leaseMs: 1000, owner });
    await ledger.plan(cut("a"));
    const { undone, executor } = remembering();
    await recoverLedgers({ folder, clock: own, executor, ...gone });
    expect(undone).toEqual([]);
    await own.advance(1001);
    await recoverLedgers({ folder, clock: own, executor, ...gone });
    expect(undone).toEqual(["a"]);
  });

  it("leaves what it could not take back for the next one", async () => {
    const ledger = await openLedger({ folder, run: "run-1", clock });
    for (const target of ["a", "b"]) await ledger.plan(cut(target));
    const failing = remembering((target) => target === "b");
    const first = await recoverLedgers({ folder, clock, executor: failing.executor, ...gone });
    expect(first).toMatchObject({ undone: [{ target: "a" }], failed: [{ target: "b" }] });
    const working = remembering();
    await recoverLedgers({ folder, clock, executor: working.executor, ...gone });
    expect(working.undone).toEqual(["b"]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("names a file that is no ledger, and leaves it", async () => {
    await writeFile(join(folder, "x.ledger.jsonl"), "what is this\n");
    await writeFile(join(folder, "notes.txt"), "nothing");
    const { executor } = remembering();
    const { damaged } = await recoverLedgers({ folder, clock, executor, ...gone });
    expect(damaged).toMatchObject([{ file: join(folder, "x.ledger.jsonl") }]);
    expect((await readdir(folder)).length).toBe(2);
  });

  it("finds nothing to do where there is no folder", async () => {
    const { executor } = remembering();
    const nowhere = join(folder, "nowhere");
    expect(await recoverLedgers({ folder: nowhere, clock, executor })).toMatchObject({
      undone: [],
    });
  });
});
