import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { auditLog, openStore, storeProbe } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { startProgram } from "../support/child-program.ts";

const clock = createRealClock();

/** A store in use here, and another process that opens and closes it. */
async function storeInUse() {
  const path = join(await tempDir(), "t.db");
  const url = `sqlite:${path}`;
  const store = await openStore({ url, clock });
  onTestFinished(() => store.close());
  const entry = { actor: "ann", action: "test", subject: "" };
  await auditLog.append(store.db, { ...entry, atMs: 1 });
  await auditLog.list(store.db);
  const inode = async () => (await stat(`${path}-wal`)).ino;
  const visit = async () => {
    const { code, stderr } = await (await startProgram("open-store", [url])).result;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  };
  return { url, store, entry, inode, visit };
}

test.each([
  ["once", async () => {}],
  ["again", async (url: string) => (await openStore({ url, clock })).close()],
  [
    "again by the doctor",
    async (url: string) => {
      const signal = new AbortController().signal;
      const finding = await storeProbe({ url }).find({ clock, signal, env: {} });
      expect(finding).toMatchObject({ state: "works" });
    },
  ],
])(
  "a store that this process has opened %s keeps its journal when another one closes it",
  async (_, alsoOpen) => {
    const { url, store, entry, inode, visit } = await storeInUse();
    await alsoOpen(url);
    const before = await inode();
    await visit();
    expect(await inode()).toBe(before);
    // What is written here afterwards is there for everybody.
    await auditLog.append(store.db, { ...entry, atMs: 2 });
    const other = await openStore({ url, clock });
    onTestFinished(() => other.close());
    expect((await auditLog.list(other.db)).map(({ atMs }) => atMs)).toEqual([2, 1]);
  },
);
