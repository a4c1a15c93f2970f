import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { bytesBelow } from "../../../src/cli/checkpoint/bytes-below.ts";
import { watchedFiles } from "../../../src/cli/checkpoint/watched-files.ts";
import { checkpointVerifyCommand } from "../../../src/cli/commands/checkpoint-verify.ts";
import { run } from "../../../src/cli/run.ts";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { createNodeFiles } from "../../../src/runtime/checkpoint/files/index.ts";
import { save } from "../../../src/runtime/checkpoint/save/index.ts";
import { rand } from "../../../src/runtime/tensor/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { checkpoint, saveRun } from "./support.ts";

describe("watched files", () => {
  test("count every byte that is read and written", async () => {
    const path = join(await tempDir(), "file");
    let moved = 0;
    const { signal } = new AbortController();
    const files = watchedFiles(createNodeFiles(), { signal, onBytes: (bytes) => (moved += bytes) });
    const writer = await files.create(path);
    await writer.write(new Uint8Array(100), 0);
    await writer.sync();
    await writer.close();
    expect(moved).toBe(100);
    const reader = await files.open(path);
    expect(reader.bytes).toBe(100);
    // Only 40 bytes are left there.
    expect(await reader.read(new Uint8Array(64), 60)).toBe(40);
    await reader.close();
    expect(moved).toBe(140);
  });

  test("refuse to go on once the user gave up, and remove even then", async () => {
    const folder = await tempDir();
    const path = join(folder, "file");
    await writeFile(path, "content");
    const controller = new AbortController();
    const files = watchedFiles(createNodeFiles(), { signal: controller.signal });
    const reader = await files.open(path);
    controller.abort(new Error("enough"));
    await expect(reader.read(new Uint8Array(4), 0)).rejects.toThrow("enough");
    await expect(files.open(path)).rejects.toThrow("enough");
    await expect(files.list(folder)).rejects.toThrow("enough");
    await reader.close();
    await files.remove(path);
    expect(await createNodeFiles().list(folder)).toEqual([]);
  });
});

describe("a long verify", () => {
  test("shows how far it is, on a pipe in lines", async () => {
    const root = await tempDir();
    const { folder } = await save("large", { w: rand([1024, 1024], { seed: 1 }) }, { root });
    const { code, stdout } = await checkpoint("verify", folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\.\.\. .*large \d+ MiB read; the files have 5 MiB$/m);
    const small = await checkpoint("verify", await saveRun(root, { tag: "small" }));
    expect(small.stdout).not.toContain("MiB read");
  });

  test("that is interrupted has no verdict", async () => {
    const folder = await saveRun(await tempDir());
    const controller = new AbortController();
    controller.abort(new TesseraError("E_INTERRUPTED", { signal: "SIGINT" }));
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await run(["checkpoint", "verify", folder, "--json"], {
      io: { stdout, stderr, env: { HOME: "/nonexistent" }, cwd: "/" },
      clock: new VirtualClock(),
      signal: controller.signal,
      table: { specs: [checkpointVerifyCommand], groups: { checkpoint: "" } },
    });
    expect(code).toBe(130);
    expect(String(stdout.read() ?? "")).not.toContain('"ok"');
  });
});

describe("bytesBelow", () => {
  test("adds up a folder with its folders, or a file; unknown where there is nothing", async () => {
    const folder = await tempDir();
    await mkdir(join(folder, "a", "b"), { recursive: true });
    await writeFile(join(folder, "one"), "12345");
    await writeFile(join(folder, "a", "two"), "123");
    await writeFile(join(folder, "a", "b", "three"), "12");
    const files = createNodeFiles();
    expect(await bytesBelow(files, folder)).toBe(10);
    expect(await bytesBelow(files, join(folder, "one"))).toBe(5);
    expect(await bytesBelow(files, join(folder, "nowhere"))).toBeUndefined();
  });
});
