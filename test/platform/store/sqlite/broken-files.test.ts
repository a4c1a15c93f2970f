import { chmod, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLog, openStore } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { mountSmallDisk, smallDiskMissing } from "../../../support/small-disk.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const clock = createRealClock();
const entry = {
  atMs: 1,
  actor: "a",
  action: "b",
  subject: "c",
  details: { text: "x".repeat(500) },
};

async function filledStore(path: string): Promise<void> {
  const store = await openStore({ url: `sqlite:${path}`, clock });
  await Promise.all(Array.from({ length: 600 }, () => auditLog.append(store.db, entry)));
  await store.close();
}

describe("a file that is no database", () => {
  test("is refused and left as it was", async () => {
    const path = join(await tempDir(), "t.db");
    const text = "my shopping list\n".repeat(300);
    await writeFile(path, text);
    await expect(openStore({ url: `sqlite:${path}`, clock })).rejects.toMatchObject({
      code: "E_STORE_CORRUPT",
      message: expect.stringContaining("not a database") as string,
    });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("but empty becomes one", async () => {
    const path = join(await tempDir(), "t.db");
    await writeFile(path, "");
    const store = await openStore({ url: `sqlite:${path}`, clock });
    await store.close();
    expect((await stat(path)).size).toBeGreaterThan(0);
  });
});

describe("a damaged database", () => {
  test("is reported where the damage is met, and not made worse", async () => {
    const path = join(await tempDir(), "t.db");
    await filledStore(path);
    const { size } = await stat(path);
    const handle = await open(path, "r+");
    // Everything after the tables' definitions and the migrations is overwritten.
    await handle.write(Buffer.alloc(size / 2, 0xa5), 0, size / 2, size / 2);
    await handle.close();
    const damaged = await readFile(path);
    const store = await openStore({ url: `sqlite:${path}`, clock });
    onTestFinished(() => store.close());
    await expect(auditLog.list(store.db, { limit: 1000 })).rejects.toMatchObject({
      code: "E_STORE_CORRUPT",
    });
    expect(await readFile(path)).toEqual(damaged);
  });

  test("that was cut short is refused", async () => {
    const path = join(await tempDir(), "t.db");
    await filledStore(path);
    await writeFile(path, (await readFile(path)).subarray(0, 5000));
    await expect(openStore({ url: `sqlite:${path}`, clock })).rejects.toMatchObject({
      code: "E_STORE_CORRUPT",
    });
  });
});

describe("a place where no file can be", () => {
  test.each([
    ["a folder", "folder", "it is a folder"],
    ["below a file", "file/t.db", "a part of its path is a file"],
  ])("%s is refused with the reason", async (_, name, words) => {
    const folder = await tempDir();
    await mkdir(join(folder, "folder"));
    await writeFile(join(folder, "file"), "");
    await expect(openStore({ url: `sqlite:${join(folder, name)}`, clock })).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining(words) as string,
    });
  });

  const root = process.getuid?.() === 0;
  test.skipIf(root)(
    `a folder of someone else is refused with the reason${root ? " (skipped: root may write anywhere)" : ""}`,
    async () => {
      const folder = await tempDir();
      await chmod(folder, 0o500);
      onTestFinished(() => chmod(folder, 0o700));
      await expect(openStore({ url: `sqlite:${folder}/t.db`, clock })).rejects.toMatchObject({
        code: "E_STORE_UNUSABLE",
        message: expect.stringContaining("this user may not write there") as string,
      });
    },
  );
});

test("a new store and its folder are for this user only", async () => {
  const folder = join(await tempDir(), "state", "tessera");
  const store = await openStore({ url: `sqlite:${folder}/t.db`, clock });
  onTestFinished(() => store.close());
  const modes = [folder, `${folder}/t.db`, `${folder}/t.db-wal`].map(
    async (path) => (await stat(path)).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600]);
});

const noDisk = smallDiskMissing();
const reason = noDisk === undefined ? "" : ` (skipped: ${noDisk})`;
describe.skipIf(noDisk !== undefined)(`a full disk${reason}`, () => {
  test("fails the write that met it, loses nothing before it, and is got over", async () => {
    const folder = mountSmallDisk("size=2m");
    const filler = join(folder, "filler");
    await writeFile(filler, Buffer.alloc(512 * 1024));
    const store = await openStore({ url: `sqlite:${folder}/t.db`, clock });
    onTestFinished(() => store.close());
    let kept = 0;
    const failure = await (async () => {
      for (;;) {
        try {
          await store.transaction((trx) => auditLog.append(trx, entry));
          kept += 1;
        } catch (error) {
          return error;
        }
      }
    })();
    expect(failure).toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining("the disk is full") as string,
    });
    expect(kept).toBeGreaterThan(0);
    await rm(filler);
    await store.transaction((trx) => auditLog.append(trx, entry));
    const rows = await store.db.selectFrom("audit").select("id").execute();
    expect(rows).toHaveLength(kept + 1);
  });

  test("refuses a new store with the reason", async () => {
    const folder = mountSmallDisk("size=64k");
    await writeFile(join(folder, "filler"), Buffer.alloc(60 * 1024));
    await expect(openStore({ url: `sqlite:${folder}/t.db`, clock })).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining("the disk is full") as string,
    });
  });
});
