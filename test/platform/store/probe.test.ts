import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore, storeProbe } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { withPairs } from "./support/pairs-migration.ts";

const clock = createRealClock();
const context = { clock, signal: new AbortController().signal, env: {} };

describe("the doctor's visit to a SQLite store", () => {
  test("finds that it can be created, and leaves no trace", async () => {
    const folder = await tempDir();
    const finding = await storeProbe({ url: `sqlite:${folder}/not/yet/t.db` }).find(context);
    expect(finding).toMatchObject({
      state: "works",
      evidence: {
        engine: expect.stringMatching(/^SQLite 3\./) as string,
        journalMode: "wal",
        freeBytes: expect.any(Number) as number,
        diskSync: { medianMs: expect.any(Number) as number, provenance: "measured" },
      },
    });
    expect(finding.reason).toContain("can be created");
    expect(finding.reason).toContain("measured");
    expect(await readdir(folder)).toEqual([]);
  });

  test("finds one that exists and changes nothing in it", async () => {
    const folder = await tempDir();
    const path = join(folder, "t.db");
    await (await openStore({ url: `sqlite:${path}`, clock })).close();
    const before = await readFile(path);
    const finding = await storeProbe({ url: `sqlite:${path}` }).find(context);
    expect(finding).toMatchObject({
      state: "works",
      evidence: { integrity: "ok", pendingMigrations: 0 },
    });
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder)).toEqual(["t.db"]);
  });

  test("says that an older or empty one will be brought up to date", async () => {
    const path = join(await tempDir(), "t.db");
    await writeFile(path, "");
    const finding = await storeProbe({ url: `sqlite:${path}` }).find(context);
    expect(finding.reason).toContain("will be created at the next start");
    expect(await readFile(path, "utf8")).toBe("");
  });

  test.each([
    ["E_STORE_URL", async () => "sqlite::memory:"],
    [
      "E_STORE_CORRUPT",
      async () => {
        const path = join(await tempDir(), "t.db");
        await writeFile(path, "not a database ".repeat(100));
        return `sqlite:${path}`;
      },
    ],
    [
      "E_STORE_NEWER",
      async () => {
        const url = `sqlite:${join(await tempDir(), "t.db")}`;
        await (await openStore({ url, clock, migrations: withPairs })).close();
        return url;
      },
    ],
    [
      "E_STORE_UNUSABLE",
      async () => {
        const folder = await tempDir();
        await writeFile(join(folder, "file"), "");
        return `sqlite:${folder}/file/below/t.db`;
      },
    ],
  ])("finds what is in the way: %s", async (code, prepare) => {
    const finding = await storeProbe({ url: await prepare() }).find(context);
    expect(finding).toMatchObject({ state: "missing", evidence: { code } });
    expect(finding.reason).toContain(code);
    expect(finding.hint).not.toBe("");
  });

  test("finds damage that no one has met yet", async () => {
    const path = join(await tempDir(), "t.db");
    const store = await openStore({ url: `sqlite:${path}`, clock });
    await store.close();
    const bytes = await readFile(path);
    bytes.fill(0xa5, bytes.length - 4096);
    await writeFile(path, bytes);
    const finding = await storeProbe({ url: `sqlite:${path}` }).find(context);
    expect(finding).toMatchObject({ state: "missing", evidence: { code: "E_STORE_CORRUPT" } });
  });
});
