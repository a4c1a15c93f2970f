import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { guardMemory } from "../../../../src/control/experiments/child/memory-guard.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const clock = createRealClock();
const mebibyte = 2 ** 20;
const missing = existsSync("/proc/self/status") ? "" : " (skipped: no /proc here)";

describe.skipIf(missing !== "")(`the memory of a child${missing}`, () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A process that fills so much memory and then waits. */
  async function holding(mebibytes: number): Promise<number> {
    const code = `const held = Buffer.alloc(${mebibytes * mebibyte}, 1); console.log(held.length); setInterval(() => {}, 1e6);`;
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "ignore"] });
    ends.push(async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    });
    await once(child.stdout, "data");
    return child.pid ?? 0;
  }

  it("is told once when it is more than it may be", async () => {
    const told: number[] = [];
    const guard = guardMemory(await holding(300), {
      clock,
      limitBytes: 200 * mebibyte,
      onOver: (bytes) => told.push(bytes),
      lookEveryMs: 5,
    });
    await waitUntil("somebody was told", () => told.length > 0);
    guard.stop();
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(300 * mebibyte);
  });

  it("is no news while it is less, nor after the guard was stopped", async () => {
    const pid = await holding(1);
    let looks = 0;
    const counting = {
      ...clock,
      setTimer: (...args: Parameters<typeof clock.setTimer>) => {
        looks++;
        return clock.setTimer(...args);
      },
    };
    const told: number[] = [];
    const onOver = (bytes: number) => void told.push(bytes);
    const limitBytes = 1024 * mebibyte;
    const guard = guardMemory(pid, { clock: counting, limitBytes, onOver, lookEveryMs: 1 });
    await waitUntil("it looked often", () => looks > 5);
    guard.stop();
    guardMemory(pid, { clock, limitBytes: 1, onOver, lookEveryMs: 1 }).stop();
    expect(told).toEqual([]);
  });

  it("is no news of a process that is gone", async () => {
    const told: number[] = [];
    let looks = 0;
    const guard = guardMemory(2 ** 22 + 1, {
      clock: {
        ...clock,
        setTimer: (...args) => {
          looks++;
          return clock.setTimer(...args);
        },
      },
      limitBytes: 1,
      onOver: (bytes) => told.push(bytes),
      lookEveryMs: 1,
    });
    await waitUntil("it looked", () => looks > 3);
    guard.stop();
    expect(told).toEqual([]);
  });
});
