import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLog, openStore, type Store } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const clock = createRealClock();
const entry = { atMs: 1, actor: "a", action: "b", subject: "c" };

async function setUp(): Promise<{ store: Store; folder: string }> {
  const folder = await tempDir();
  const store = await openStore({ url: `sqlite:${folder}/t.db`, clock });
  onTestFinished(() => store.close());
  await auditLog.append(store.db, entry);
  return { store, folder };
}

describe("a backup", () => {
  test("is a store of its own with what was there, made while the store is written", async () => {
    const { store, folder } = await setUp();
    await mkdir(join(folder, "copies"));
    const copyPath = join(folder, "copies", "copy.db");
    await store.transaction(async (trx) => {
      await auditLog.append(trx, { ...entry, actor: "too late" });
      await store.backup(copyPath);
    });
    expect((await stat(copyPath)).mode & 0o777).toBe(0o600);
    const copy = await openStore({ url: `sqlite:${copyPath}`, clock });
    onTestFinished(() => copy.close());
    expect(copy.instance).toEqual(store.instance);
    expect((await auditLog.list(copy.db)).map(({ actor }) => actor)).toEqual(["a"]);
    expect((await auditLog.list(store.db)).map(({ actor }) => actor)).toEqual(["too late", "a"]);
  });

  test("makes no folder: one that is not there is a typo, or a disk that is not mounted", async () => {
    const { store, folder } = await setUp();
    await expect(store.backup(join(folder, "no-such", "copy.db"))).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining("there is no folder") as string,
    });
    expect(await readdir(folder)).not.toContain("no-such");
  });

  test("never replaces a file, and leaves nothing behind when it fails", async () => {
    const { store, folder } = await setUp();
    const target = join(folder, "copy.db");
    await writeFile(target, "precious");
    await expect(store.backup(target)).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining("exists already") as string,
    });
    expect((await readdir(folder)).filter((name) => name.includes("copy"))).toEqual(["copy.db"]);
    await expect(store.backup(join(target, "below"))).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
    });
  });
});
