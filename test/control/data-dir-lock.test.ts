import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockDataDir } from "../../src/control/data-dir-lock.ts";
import { isRunning, ownIdentity } from "../../src/platform/process/process-identity.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { bundleProgram } from "../support/bundle-program.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = createRealClock();
const locksIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith(".lock"));

describe("the lock of a data folder", () => {
  it("makes the folder for its owner only, and leaves nothing behind", async () => {
    const dataDir = join(await tempDir(), "deep", "data");
    const lock = await lockDataDir(dataDir, clock);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await locksIn(dataDir)).toHaveLength(1);
    await lock.release();
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("is refused to a second one, which is told who has it, and is free afterwards", async () => {
    const dataDir = await tempDir();
    const first = await lockDataDir(dataDir, clock);
    await expect(lockDataDir(dataDir, clock)).rejects.toMatchObject({
      code: "E_DATA_DIR_IN_USE",
      exitCode: 2,
      message: expect.stringContaining(`process ${process.pid}`),
      hint: expect.stringContaining("--data-dir"),
    });
    expect(await locksIn(dataDir)).toHaveLength(1);
    await first.release();
    await (await lockDataDir(dataDir, clock)).release();
  });

  it("of a process that was killed does not hold, and is swept away", async () => {
    const dataDir = await tempDir();
    const program = await bundleProgram(
      dataDir,
      "holder",
      `import { lockDataDir } from "./src/control/data-dir-lock.ts";
       import { createRealClock } from "./src/platform/time/real-clock.ts";
       await lockDataDir(process.argv[2], createRealClock());
       process.stdout.write("locked");
       setInterval(() => {}, 1000);`,
    );
    const holder = spawn(process.execPath, [program, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    await expect(lockDataDir(dataDir, clock)).rejects.toMatchObject({
      message: expect.stringContaining(`process ${holder.pid}`),
    });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const lock = await lockDataDir(dataDir, clock);
    expect(await locksIn(dataDir)).toHaveLength(1);
    await lock.release();
  });

  it("of another boot, of a pid that now is another process, or unreadable does not hold", async () => {
    const dataDir = await tempDir();
    const own = await ownIdentity();
    const lock = { ...own, startedAtMs: 0 };
    const leave = (name: string, text: string) => writeFile(join(dataDir, name), text);
    await leave("up-1-1-1.lock", JSON.stringify({ ...lock, home: "another boot" }));
    await leave("up-1-1-2.lock", JSON.stringify({ ...lock, startTicks: "1" }));
    await leave("up-1-1-3.lock", JSON.stringify({ ...lock, pid: 2 ** 22 + 1 }));
    await leave("up-1-1-4.lock", "{");
    await leave("notes.lock", "not ours");
    const held = await lockDataDir(dataDir, clock);
    expect(await locksIn(dataDir)).toEqual(["notes.lock", expect.stringMatching(/^up-/)]);
    await held.release();
  });

  it("goes to exactly one of many who start at once", async () => {
    const dataDir = await tempDir();
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, () => lockDataDir(dataDir, clock)),
    );
    const holders = attempts.filter((attempt) => attempt.status === "fulfilled");
    expect(holders).toHaveLength(1);
    expect(await locksIn(dataDir)).toHaveLength(1);
  });

  it("cannot be taken where no folder can be", async () => {
    const dataDir = join(await tempDir(), "file");
    await writeFile(dataDir, "");
    await expect(lockDataDir(dataDir, clock)).rejects.toMatchObject({ code: "E_FILE_WRITE" });
  });
});

describe("the identity of a process", () => {
  it("tells this process apart from others that have its pid", async () => {
    const own = await ownIdentity();
    expect(await isRunning(own)).toBe(true);
    expect(await isRunning({ ...own, startTicks: "0" })).toBe(false);
    expect(await isRunning({ ...own, home: "elsewhere" })).toBe(false);
  });

  it("falls back to the pid where the kernel does not say more", async () => {
    const own = await ownIdentity();
    expect(await isRunning({ ...own, startTicks: null })).toBe(true);
    expect(await isRunning({ ...own, startTicks: null, pid: 2 ** 22 + 1 })).toBe(false);
  });
});
