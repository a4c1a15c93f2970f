import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TarEntry, tarHeader, writeTar } from "../images/tar.ts";
import { programPath } from "../machine/programs.ts";

function tarBytes(entries: readonly TarEntry[]): Buffer {
  const chunks: Buffer[] = [];
  writeTar(entries, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

describe("the tar writer", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tessera-tar-"));
  });
  // The suite also runs where PATH has Node and npm only.
  const untar = (args: readonly string[]) =>
    execFileSync("tar", args, { cwd: folder, env: { PATH: programPath() } });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("writes what the tar program reads back", () => {
    const longPath = `${"folder/".repeat(20)}file-with-a-name.txt`;
    writeFileSync(join(folder, "source"), "from a file");
    const archive = tarBytes([
      { type: "directory", path: "bin", mode: 0o755 },
      { type: "file", path: "bin/tool", mode: 0o755, content: Buffer.from("#!/bin/sh\n") },
      { type: "symlink", path: "bin/link", target: "tool" },
      { type: "file", path: longPath, mode: 0o600, content: { fromFile: join(folder, "source") } },
    ]);
    writeFileSync(join(folder, "a.tar"), archive);
    untar(["-xpf", "a.tar"]);
    expect(statSync(join(folder, "bin/tool")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(folder, "bin/link"))).toBe("tool");
    expect(readFileSync(join(folder, longPath), "utf8")).toBe("from a file");
  });

  it("gives equal bytes for equal input, in whole blocks with an end marker", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const entry: TarEntry = {
          type: "file",
          path: "x",
          mode: 0o644,
          content: Buffer.from(bytes),
        };
        const archive = tarBytes([entry]);
        expect(archive.length % 512).toBe(0);
        expect(archive.subarray(512, 512 + bytes.length)).toEqual(Buffer.from(bytes));
        expect(archive.subarray(-1024).every((byte) => byte === 0)).toBe(true);
        expect(tarBytes([entry])).toEqual(archive);
      }),
    );
  });

  it("refuses a path that does not fit, and a size that does not", () => {
    const file = { type: "file", mode: 0o644 } as const;
    expect(() => tarHeader({ ...file, path: "x".repeat(101) }, 0)).toThrow(/too long/);
    expect(() => tarHeader({ ...file, path: `a/${"x".repeat(101)}` }, 0)).toThrow(/too long/);
    expect(() => tarHeader({ ...file, path: "x" }, 8 ** 11)).toThrow(/does not fit/);
    expect(() => tarHeader({ ...file, path: "x" }, 8 ** 11 - 1)).not.toThrow();
    const link = { type: "symlink", path: "x", target: "y".repeat(101) } as const;
    expect(() => tarHeader(link, 0)).toThrow(/too long/);
  });
});
