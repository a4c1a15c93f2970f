import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../../src/platform/files/index.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";

let folder = "";
beforeEach(async () => {
  folder = await tempDir();
});

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("writeFileAtomic", () => {
  it("writes text and bytes, and leaves nothing else in the folder", async () => {
    await writeFileAtomic(join(folder, "text"), "grüße\n");
    await writeFileAtomic(join(folder, "bytes"), Uint8Array.of(0, 255, 128));
    expect(readFileSync(join(folder, "text"), "utf8")).toBe("grüße\n");
    expect([...readFileSync(join(folder, "bytes"))]).toEqual([0, 255, 128]);
    expect(readdirSync(folder)).toEqual(["bytes", "text"]);
  });

  it("replaces a file by another one, so that whoever has it open keeps the old content", async () => {
    const path = join(folder, "file");
    await writeFileAtomic(path, "old and longer");
    const before = statSync(path).ino;
    await writeFileAtomic(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).ino).not.toBe(before);
  });

  it("gives exactly the mode asked for, whatever the umask", async () => {
    const path = join(folder, "secret");
    await writeFileAtomic(path, "x", { mode: 0o600 });
    expect(modeOf(path)).toBe(0o600);
    await writeFileAtomic(path, "x", { mode: 0o666 });
    expect(modeOf(path)).toBe(0o666);
  });

  it("keeps the mode of the file it replaces when none is asked for", async () => {
    const path = join(folder, "tool");
    writeFileSync(path, "x");
    chmodSync(path, 0o750);
    await writeFileAtomic(path, "y");
    expect(modeOf(path)).toBe(0o750);
  });

  it("keeps a symbolic link and replaces what it points to", async () => {
    mkdirSync(join(folder, "real"));
    writeFileSync(join(folder, "real", "file"), "old");
    symlinkSync(join("real", "file"), join(folder, "link"));
    await writeFileAtomic(join(folder, "link"), "new");
    expect(readlinkSync(join(folder, "link"))).toBe(join("real", "file"));
    expect(readFileSync(join(folder, "real", "file"), "utf8")).toBe("new");
  });

  it("refuses a symbolic link to nothing", async () => {
    symlinkSync("nowhere", join(folder, "link"));
    await expect(writeFileAtomic(join(folder, "link"), "x")).rejects.toMatchObject({
      code: "E_FILE_WRITE",
      message: expect.stringContaining("symbolic link to a file that does not exist"),
    });
  });

  it("writes to a device instead of replacing it", async () => {
    await writeFileAtomic("/dev/null", "x");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  const noPipes = missing("mkfifo");
  it.skipIf(noPipes)(`writes to a pipe instead of replacing it${noPipes}`, async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const [text] = await Promise.all([
      import("node:fs/promises").then((fs) => fs.readFile(pipe, "utf8")),
      writeFileAtomic(pipe, "through the pipe"),
    ]);
    expect(text).toBe("through the pipe");
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it("copes with a name as long as a name may be", async () => {
    const path = join(folder, "ü".repeat(127));
    await writeFileAtomic(path, "x");
    expect(readFileSync(path, "utf8")).toBe("x");
  });
});

describe("writeFileAtomic that fails", () => {
  it("says that the folder does not exist", async () => {
    const path = join(folder, "missing", "file");
    await expect(writeFileAtomic(path, "x")).rejects.toMatchObject({
      code: "E_FILE_WRITE",
      message: `Cannot write ${path}: the folder it belongs in does not exist.`,
      cause: expect.objectContaining({ code: "ENOENT" }),
    });
  });

  it("says that a part of the path is a file", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(writeFileAtomic(join(folder, "file", "below"), "x")).rejects.toThrow(
      "a part of its path is not a folder",
    );
  });

  it("does not replace a folder", async () => {
    await expect(writeFileAtomic(folder, "x")).rejects.toThrow("it is a folder");
  });

  it("says that no space is left", async () => {
    await expect(writeFileAtomic("/dev/full", "x")).rejects.toThrow("no space is left");
  });

  it("says that the name is not one", async () => {
    await expect(writeFileAtomic(join(folder, "a\0b"), "x")).rejects.toMatchObject({
      code: "E_FILE_WRITE",
    });
  });
});
