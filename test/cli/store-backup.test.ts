import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditLog, openExistingStore, openStore } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

const clock = new VirtualClock();

/** A store that stays open, with an entry in its audit log. */
async function storeInUse() {
  const folder = await tempDir();
  const path = join(folder, "t.db");
  const store = await openStore({ url: `sqlite:${path}`, clock });
  const note = (subject: string) =>
    auditLog.append(store.db, { atMs: 1, actor: "ann", action: "test", subject, details: {} });
  const backup = (...args: readonly string[]) =>
    runHere(["store", "backup", ...args], { env: { TESSERA_STORE_URL: `sqlite:${path}` } });
  return { folder, path, store, note, backup };
}

async function subjectsIn(path: string): Promise<readonly string[]> {
  const store = await openExistingStore({ url: `sqlite:${path}`, clock });
  const rows = await store.db.selectFrom("audit").select("subject").orderBy("id").execute();
  await store.close();
  return rows.map(({ subject }) => subject);
}

describe("tessera store backup", () => {
  it("copies a store in use as it is at that moment, and the copy is a store", async () => {
    const { folder, store, note, backup } = await storeInUse();
    await note("before");
    const copy = join(folder, "copy.db");
    const { code, stdout, stderr } = await backup(copy);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${copy} holds the store`);
    await note("after");
    await store.close();
    expect(await subjectsIn(copy)).toEqual(["before"]);
    const restored = join(folder, "restored.db");
    await copyFile(copy, restored);
    expect(await subjectsIn(restored)).toEqual(["before"]);
  });

  it("tells programs where it is", async () => {
    const { folder, store, backup } = await storeInUse();
    const { stdout } = await backup(join(folder, "copy.db"), "--json");
    expect(JSON.parse(stdout)).toEqual({
      path: join(folder, "copy.db"),
      bytes: expect.any(Number),
      schemaVersion: store.schemaVersion,
    });
    await store.close();
  });

  it("makes no folder: one that is not there is a typo, or a disk that is not mounted", async () => {
    const { folder, store, backup } = await storeInUse();
    const before = await readdir(folder);
    const { code, stderr } = await backup(join(folder, "not-mounted", "copy.db"));
    expect(code).not.toBe(0);
    expect(stderr).toContain("there is no folder");
    expect(await readdir(folder)).toEqual(before);
    await store.close();
  });

  it("replaces no file, and makes no store where there is none", async () => {
    const { folder, store, backup } = await storeInUse();
    const copy = join(folder, "copy.db");
    await writeFile(copy, "mine");
    const taken = await backup(copy);
    expect(taken.code).not.toBe(0);
    expect(taken.stderr).toContain("exists already");
    await store.close();
    const empty = await tempDir();
    const env = { TESSERA_STORE_URL: `sqlite:${join(empty, "none.db")}` };
    const none = await runHere(["store", "backup", join(empty, "copy.db")], { env });
    expect(none.stderr).toContain("E_STORE_MISSING");
    expect(await readdir(empty)).toEqual([]);
  });
});
