import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { guardMemory } from "../../../../src/control/experiments/child/memory-guard.ts";
import { runChild } from "../../../../src/control/experiments/child/run-child.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const clock = createRealClock();
const mebibyte = 2 ** 20;
const missing = existsSync("/proc/self/status") ? "" : " (skipped: no /proc here)";
const hold = (mebibytes: number) =>
  `const held = Buffer.alloc(${mebibytes * mebibyte}, 1); console.log(held.length); setInterval(() => {}, 1e6);`;

describe.skipIf(missing !== "")(`the memory of a child${missing}`, () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A group of processes of which the first runs this, once something was said. */
  async function started(code: string): Promise<number> {
    const child = spawn(process.execPath, ["-e", code], {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    const pid = child.pid ?? 0;
    ends.push(async () => {
      const ended = once(child, "exit");
      process.kill(-pid, "SIGKILL");
      await ended;
    });
    await once(child.stdout, "data");
    return pid;
  }

  /** Guards a group, and keeps what was told. */
  function guarded(groupId: number, limitBytes: number) {
    const told = { over: [] as number[], farOver: [] as number[], looks: 0 };
    const counting = {
      ...clock,
      setTimer: (...args: Parameters<typeof clock.setTimer>) => {
        told.looks++;
        return clock.setTimer(...args);
      },
    };
    const guard = guardMemory(groupId, {
      clock: counting,
      limitBytes,
      onOver: (bytes) => told.over.push(bytes),
      onFarOver: (bytes) => told.farOver.push(bytes),
      lookEveryMs: 5,
    });
    ends.push(async () => guard.stop());
    return told;
  }

  it("is told once when it is more than it may be, and looked at on", async () => {
    const told = guarded(await started(hold(300)), 320 * mebibyte);
    await waitUntil("somebody was told", () => told.over.length > 0);
    const { looks } = told;
    await waitUntil("it was looked at again", () => told.looks > looks + 3);
    expect(told.over).toHaveLength(1);
    expect(told.over[0]).toBeGreaterThan(320 * mebibyte);
    expect(told.farOver).toEqual([]);
  });

  it("is told once more when it is far more than it may be", async () => {
    const told = guarded(await started(hold(300)), 200 * mebibyte);
    await waitUntil("somebody was told", () => told.farOver.length > 0);
    expect([told.over.length, told.farOver.length]).toEqual([1, 1]);
  });

  it("is that of its whole group", async () => {
    const code = `
      const { spawn } = require("node:child_process");
      const one = () => spawn(process.execPath, ["-e", ${JSON.stringify(hold(150))}]).stdout;
      one().once("data", () => one().once("data", () => console.log("both")));
    `;
    const told = guarded(await started(code), 300 * mebibyte);
    await waitUntil("somebody was told", () => told.over.length > 0);
    expect(told.over[0]).toBeGreaterThan(300 * mebibyte);
  });

  it("is no news while it is less, nor after the guard was stopped", async () => {
    const pid = await started(hold(1));
    const told = guarded(pid, 1024 * mebibyte);
    await waitUntil("it looked often", () => told.looks > 5);
    const never = () => expect.fail("the guard was stopped");
    const rest = { clock, limitBytes: 1, lookEveryMs: 1, onOver: never, onFarOver: never };
    guardMemory(pid, rest).stop();
    expect([told.over, told.farOver]).toEqual([[], []]);
  });

  it("is no news of a process that is gone", async () => {
    const told = guarded(2 ** 22 + 1, 1);
    await waitUntil("it looked", () => told.looks > 3);
    expect([told.over, told.farOver]).toEqual([[], []]);
  });

  it("that grows after it was asked to end is freed at once, however much time it was given", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tessera-memory-"));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const program = join(folder, "grows.mjs");
    const grow = "setInterval(() => held.push(Buffer.alloc(20 * 2 ** 20, 1)), 100);";
    await writeFile(program, `const held = []; process.on("SIGTERM", () => {}); ${grow}`);
    const end = await runChild({ kind: "recover", text: "" } as never, {
      command: [process.execPath, program],
      clock,
      env: {},
      envInherit: ["PATH"],
      signal: new AbortController().signal,
      graceMs: 600_000,
      memoryLimitBytes: 300 * mebibyte,
      onLine: () => {},
    });
    expect(end).toMatchObject({ how: "gone", reason: expect.stringContaining("of memory, more") });
  });
});
