import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureDir, readTextFile } from "../../../src/platform/files/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await tempDir(), "file");
  writeFileSync(path, content);
  return path;
}

describe("readTextFile", () => {
  it("reads UTF-8 text, longer than one read, without a byte order mark", async () => {
    const text = "äöü€😀\n".repeat(20_000);
    expect(await readTextFile(await fileWith(`\uFEFF${text}`))).toBe(text);
  });

  it("reads an empty file", async () => {
    expect(await readTextFile(await fileWith(""))).toBe("");
  });

  it("reads files that do not know their size", async () => {
    expect(await readTextFile("/proc/self/status")).toContain("Pid:");
  });

  it("takes a file of exactly the size allowed and refuses one byte more", async () => {
    const path = await fileWith("x".repeat(100));
    expect(await readTextFile(path, { sizeBytesMax: 100 })).toHaveLength(100);
    await expect(readTextFile(path, { sizeBytesMax: 99 })).rejects.toMatchObject({
      code: "E_FILE_READ",
      message: `Cannot read ${path}: it is larger than 99 B.`,
    });
  });

  it("does not read a file without end to its end", async () => {
    await expect(readTextFile("/dev/zero", { sizeBytesMax: 1000 })).rejects.toThrow("larger than");
  });

  it("says that a file is missing", async () => {
    const path = join(await tempDir(), "missing");
    await expect(readTextFile(path)).rejects.toMatchObject({
      code: "E_FILE_READ",
      message: `Cannot read ${path}: it does not exist.`,
      cause: expect.objectContaining({ code: "ENOENT" }),
    });
  });

  it("says that it is a folder", async () => {
    await expect(readTextFile(await tempDir())).rejects.toThrow("it is a folder");
  });

  it.each([
    ["Latin-1", Uint8Array.of(0x67, 0x72, 0xfc, 0xdf, 0x65)],
    ["a cut character", Uint8Array.of(0x61, 0xe2, 0x82)],
  ])("says that %s is not UTF-8", async (_, bytes) => {
    await expect(readTextFile(await fileWith(bytes))).rejects.toThrow("it is not UTF-8 text");
  });
});

describe("ensureDir", () => {
  it("makes a folder with the folders above it, and leaves an existing one alone", async () => {
    const path = join(await tempDir(), "a", "b", "c");
    await ensureDir(path, { mode: 0o700 });
    await ensureDir(path);
    mkdirSync(join(path, "d"));
  });

  it("says that a file is in the way", async () => {
    const path = await fileWith("");
    await expect(ensureDir(path)).rejects.toMatchObject({
      code: "E_FILE_WRITE",
      message: expect.stringContaining("in the way"),
    });
    await expect(ensureDir(join(path, "below"))).rejects.toThrow(
      "a part of its path is not a folder",
    );
  });
});
