import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { checkpoint, saveFile, saveRun, shardIn, turnBit } from "./support.ts";

interface Document {
  readonly ok: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly ok: boolean;
    readonly error?: string;
  }[];
}

async function verify(path: string, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await checkpoint("verify", path, "--json", ...argv);
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Document) };
}

const badFiles = ({ files }: Document) => files.filter(({ ok }) => !ok);

describe("tessera checkpoint verify", () => {
  test("a good checkpoint is good in every file, with nothing but the documented fields", async () => {
    const folder = await saveRun(await tempDir());
    const { code, ...document } = await verify(folder);
    expect(code).toBe(0);
    expect(Object.keys(document)).toEqual(["ok", "files"]);
    expect(document.ok).toBe(true);
    const names = document.files.map(({ path }) => basename(path));
    expect(names).toEqual(expect.arrayContaining(["COMMIT", "manifest.json"]));
    for (const file of document.files) {
      expect(file).toEqual({ path: join(folder, basename(file.path)), ok: true });
    }
  });

  test("a turned bit in the data is found, with file, tensor and rule", async () => {
    const folder = await saveRun(await tempDir());
    const shard = await shardIn(folder);
    await turnBit(shard, -1);
    const result = await verify(folder);
    expect(result).toMatchObject({ code: 1, ok: false });
    expect(badFiles(result)).toEqual([
      { path: shard, ok: false, error: expect.stringMatching(/model\/.*rule piece-hash/) },
    ]);
    const { code, stdout } = await checkpoint("verify", folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/bad .*shard-.*rule piece-hash/);
    expect(stdout).toMatch(/-> Bytes changed after they were saved/);
    expect(stdout).toMatch(/^1 bad, \d good; took/m);
  });

  test.each(["COMMIT", "manifest.json"])("a turned bit in %s is found", async (name) => {
    const folder = await saveRun(await tempDir());
    await turnBit(join(folder, name), 40);
    const result = await verify(folder);
    expect(result).toMatchObject({ code: 1, ok: false });
  });

  test("a file that does not belong there, one that is gone and one that is cut are told apart", async () => {
    const folder = await saveRun(await tempDir());
    await writeFile(join(folder, "shard-00099-of-00100.safetensors"), "");
    expect(badFiles(await verify(folder))).toEqual([
      expect.objectContaining({ error: expect.stringContaining("rule stale-file") }),
    ]);
    await rm(join(folder, "shard-00099-of-00100.safetensors"));
    const shard = await shardIn(folder);
    const bytes = await readFile(shard);
    await truncate(shard, bytes.length - 1);
    expect(badFiles(await verify(folder))).toEqual([
      expect.objectContaining({ path: shard, error: expect.stringContaining("rule file-size") }),
    ]);
    await rm(shard);
    expect(badFiles(await verify(folder))).toEqual([
      expect.objectContaining({ path: shard, error: expect.stringContaining("rule file-missing") }),
    ]);
    await writeFile(shard, bytes);
    expect((await verify(folder)).ok).toBe(true);
  });

  test("of a root every checkpoint is judged, an unfinished one is bad", async () => {
    const root = await tempDir();
    const first = await saveRun(root, { tag: "a", step: 1 });
    await saveRun(root, { tag: "b", step: 2 });
    expect(await verify(root)).toMatchObject({ code: 0, ok: true });
    await rm(join(first, "COMMIT"));
    const result = await verify(root);
    expect(result).toMatchObject({ code: 1, ok: false });
    expect(badFiles(result)).toEqual([
      expect.objectContaining({
        path: join(first, "COMMIT"),
        error: expect.stringMatching(/uncommitted/),
      }),
    ]);
  });

  test("files of others are judged one by one, alone and in a folder", async () => {
    const folder = await tempDir();
    const good = await saveFile(folder, "model-1.safetensors");
    const cut = await saveFile(folder, "model-2.safetensors");
    expect(await verify(good)).toEqual({ code: 0, ok: true, files: [{ path: good, ok: true }] });
    await truncate(cut, 100);
    const result = await verify(folder);
    expect(result.code).toBe(1);
    expect(result.files).toEqual([
      { path: good, ok: true },
      { path: cut, ok: false, error: expect.stringContaining("rule ") },
    ]);
    expect(await verify(cut)).toMatchObject({ code: 1, ok: false });
  });

  test("no such path ends with 2, a folder with nothing to judge is not good", async () => {
    const folder = await tempDir();
    const missing = await checkpoint("verify", join(folder, "nowhere"));
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(
      /^E_CHECKPOINT_MISSING: There is no committed checkpoint at \/.*\/nowhere: /,
    );
    const asJson = await checkpoint("verify", join(folder, "nowhere"), "--json");
    expect(asJson.code).toBe(2);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: "E_CHECKPOINT_MISSING" } });
    await mkdir(join(folder, "empty"));
    expect(await verify(join(folder, "empty"))).toMatchObject({ code: 1, ok: false });
  });

  test("a link is followed to the checkpoint or file that it leads to", async () => {
    const root = await tempDir();
    const folder = await saveRun(root);
    const latest = join(await tempDir(), "latest");
    await symlink(folder, latest);
    const result = await verify(latest);
    expect(result).toMatchObject({ code: 0, ok: true });
    expect(result.files[0]?.path).toBe(join(latest, "COMMIT"));
    await turnBit(await shardIn(folder), -1);
    expect(await verify(latest)).toMatchObject({ code: 1, ok: false });
    await rm(folder, { recursive: true });
    expect((await checkpoint("verify", latest)).code).toBe(2);
  });

  test("a folder with another name is bad by its COMMIT alone, and its shards are still read", async () => {
    const folder = await saveRun(await tempDir());
    const renamed = join(await tempDir(), "backup");
    await rename(folder, renamed);
    expect(badFiles(await verify(renamed))).toEqual([
      expect.objectContaining({
        path: join(renamed, "COMMIT"),
        error: expect.stringContaining("rule commit-fits"),
      }),
    ]);
    expect((await checkpoint("verify", renamed)).stdout).toMatch(
      /renamed or copied, give it that name/,
    );
    await turnBit(await shardIn(renamed), -1);
    expect(badFiles(await verify(renamed)).map(({ error }) => error)).toEqual([
      expect.stringContaining("rule commit-fits"),
      expect.stringContaining("rule piece-hash"),
    ]);
  });

  test("a path that goes through a file is none", async () => {
    const file = await saveFile(await tempDir(), "model.safetensors");
    expect((await checkpoint("verify", file)).code).toBe(0);
    const { code, stderr } = await checkpoint("verify", join(file, "x"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_CHECKPOINT_MISSING/);
  });

  test("a JUnit file has a case for each file", async () => {
    const folder = await saveRun(await tempDir());
    await turnBit(await shardIn(folder), -1);
    const junit = join(await tempDir(), "verify.xml");
    expect((await checkpoint("verify", folder, "--junit", junit)).code).toBe(1);
    const xml = await readFile(junit, "utf8");
    expect(xml).toMatch(/failures="1"/);
    expect(xml).toMatch(/<testcase[^>]*manifest\.json/);
  });

  test("it changes nothing", async () => {
    const folder = await saveRun(await tempDir());
    const shard = await shardIn(folder);
    await turnBit(shard, -1);
    const before = await readFile(shard);
    await verify(folder);
    expect((await readFile(shard)).equals(before)).toBe(true);
  });
});
