import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CheckpointFiles,
  createNodeFiles,
  readSmallFile,
  writeSmallFile,
} from "../../../../src/runtime/checkpoint/files/index.ts";
import { createMemoryFiles } from "../../../support/checkpoint/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The same promises, kept by the machine's files and by those of the tests. */
describe.each<[string, () => Promise<{ files: CheckpointFiles; root: string }>]>([
  ["this machine", async () => ({ files: createNodeFiles(), root: await tempDir() })],
  [
    "memory",
    async () => {
      const files = createMemoryFiles();
      await files.ensureFolder("/r");
      return { files, root: "/r" };
    },
  ],
])("the files of %s", (_, open) => {
  test("are created once, written anywhere, and read back", async () => {
    const { files, root } = await open();
    const path = join(root, "a");
    const file = await files.create(path);
    await file.write(bytes("world"), 6);
    await file.write(bytes("hello "), 0);
    await file.sync();
    await file.close();
    await expect(files.create(path)).rejects.toMatchObject({ code: "EEXIST" });
    const reader = await files.open(path);
    expect(reader.bytes).toBe(11);
    const into = new Uint8Array(20);
    expect(await reader.read(into, 4)).toBe(7);
    await reader.close();
    expect(Buffer.from(into.subarray(0, 7)).toString()).toBe("o world");
    await expect(files.open(join(root, "b"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("folders are made, listed by name, renamed onto nothing or an empty one, and removed", async () => {
    const { files, root } = await open();
    await files.makeFolder(join(root, "b"));
    await expect(files.makeFolder(join(root, "b"))).rejects.toMatchObject({ code: "EEXIST" });
    await files.ensureFolder(join(root, "a", "deep"));
    await files.ensureFolder(join(root, "a", "deep"));
    await writeSmallFile(files, join(root, "a", "f"), bytes("x"));
    const names = (await files.list(join(root, "a"))).map(({ name, kind, bytes: size }) => [
      name,
      kind,
      size,
    ]);
    expect(names).toEqual([
      ["deep", "folder", 0],
      ["f", "file", 1],
    ]);
    await files.rename(join(root, "a"), join(root, "b"));
    await files.makeFolder(join(root, "c"));
    const taken = await files.rename(join(root, "c"), join(root, "b")).catch((error) => error.code);
    expect(["ENOTEMPTY", "EEXIST"]).toContain(taken);
    await files.syncFolder(root);
    await files.remove(join(root, "b"));
    await files.remove(join(root, "b"));
    expect((await files.list(root)).map(({ name }) => name)).toEqual(["c"]);
    await expect(files.list(join(root, "b"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a small file is read whole, and refused when it is larger than it may be", async () => {
    const { files, root } = await open();
    await writeSmallFile(files, join(root, "f"), bytes("12345"));
    expect(
      Buffer.from(await readSmallFile(files, join(root, "f"), { bytesMax: 5 })).toString(),
    ).toBe("12345");
    await expect(readSmallFile(files, join(root, "f"), { bytesMax: 4 })).rejects.toMatchObject({
      code: "EFBIG",
    });
  });
});

test("links are not followed: not to read, not to write, not to remove", async () => {
  const files = createNodeFiles();
  const root = await tempDir();
  await mkdir(join(root, "outside"));
  await writeFile(join(root, "outside", "secret"), "kept");
  await mkdir(join(root, "in"));
  await symlink(join(root, "outside", "secret"), join(root, "in", "file"));
  await symlink(join(root, "outside"), join(root, "in", "folder"));
  await expect(files.open(join(root, "in", "file"))).rejects.toMatchObject({ code: "ELOOP" });
  await expect(files.create(join(root, "in", "file"))).rejects.toMatchObject({ code: "EEXIST" });
  expect((await files.list(join(root, "in"))).map(({ kind }) => kind)).toEqual(["link", "link"]);
  await files.remove(join(root, "in"));
  expect(await readFile(join(root, "outside", "secret"), "utf8")).toBe("kept");
});

test("a folder is no file to read", async () => {
  const files = createNodeFiles();
  await expect(files.open(await tempDir())).rejects.toMatchObject({ code: "EISDIR" });
});

test("after a loss of power, files in memory may lack all that was not synced, and nothing that was", async () => {
  const files = createMemoryFiles();
  await files.ensureFolder("/r");
  const file = await files.create("/r/a");
  await file.write(bytes("first"), 0);
  await file.sync();
  await files.syncFolder("/r");
  await file.write(bytes("second"), 5);
  await files.rename("/r/a", "/r/b");
  const seen = new Set<string>();
  for (const after of files.states({ limit: 1000, seed: 1 })) {
    const [entry, ...more] = await after.list("/r");
    expect(more).toEqual([]);
    const content = Buffer.from(after.bytesOf(`/r/${entry?.name}`) ?? []).toString();
    expect(content.startsWith("first")).toBe(true);
    seen.add(`${entry?.name} ${content.replaceAll("\0", "0")}`);
  }
  for (const one of [
    "a first",
    "b first",
    "a firstsecond",
    "b firstsecond",
    "b firsts",
    "a first000000",
  ]) {
    expect(seen).toContain(one);
  }
});
