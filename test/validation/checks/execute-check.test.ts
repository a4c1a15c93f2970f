import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";
import {
  type CheckContext,
  type CheckOutput,
  defineCheck,
  executeCheck,
} from "../../../src/validation/checks/index.ts";
import { executionOf } from "./support.ts";

const found: CheckOutput = {
  figures: { x: { samples: [1], higherIsBetter: true } },
  hardFacts: [],
  facts: {},
};

/** A check made of what it does. */
function checkOf(run: (context: CheckContext<unknown>) => Promise<CheckOutput>) {
  const check = defineCheck({
    name: "sample",
    title: "Sample",
    minutes: 1,
    sensitivity: {},
    falseAlarm: 0,
    figures: {},
    options: z.unknown(),
    requirements: () => ({ met: true }),
    run,
  });
  return { check, options: {} };
}

const forEver = () => new Promise<CheckOutput>(() => {});

describe("a run", () => {
  test("completes with what was found, and leaves no folder behind", async () => {
    let folder = "";
    const prepared = checkOf(async ({ tempDir }) => {
      folder = tempDir;
      expect(existsSync(folder)).toBe(true);
      return found;
    });
    const { result } = await executeCheck({ ...executionOf(), prepared });
    expect(result).toMatchObject({ outcome: "completed", ...found });
    expect(existsSync(folder)).toBe(false);
  });

  test("that throws is an error, with its words", async () => {
    const prepared = checkOf(async () => Promise.reject(new Error("the disk is gone")));
    const { result } = await executeCheck({ ...executionOf(), prepared });
    expect(result).toMatchObject({ outcome: "error", error: "the disk is gone", figures: {} });
  });

  test("that throws at once is an error as well", async () => {
    const prepared = checkOf(() => {
      throw new Error("at once");
    });
    const { result } = await executeCheck({ ...executionOf(), prepared });
    expect(result).toMatchObject({ outcome: "error", error: "at once" });
  });

  test("that does not end is a timeout, even if it does not listen", async () => {
    const clock = new VirtualClock();
    const running = new Promise<void>((resolve) => {
      const prepared = checkOf(() => {
        resolve();
        return forEver();
      });
      ended = executeCheck({ ...executionOf({ clock, timeoutMs: 5_000 }), prepared });
    });
    await running;
    await clock.advance(5_000);
    // It is given a moment to put its things in order, and does not.
    await clock.advance(5_000);
    expect((await ended)?.result).toMatchObject({
      outcome: "timeout",
      error: "it did not end within 5 s",
      endedAtMs: 5_000,
    });
  });
  let ended: ReturnType<typeof executeCheck> | undefined;

  test("that is stopped is cancelled, and what it had proved wrong still counts", async () => {
    const stop = new AbortController();
    const prepared = checkOf(async (context) => {
      context.noteHardFact("a sum was wrong");
      stop.abort(new Error("SIGTERM"));
      return Promise.reject(new Error("on its way out"));
    });
    const { result } = await executeCheck({ ...executionOf({ signal: stop.signal }), prepared });
    expect(result).toMatchObject({
      outcome: "cancelled",
      error: "SIGTERM",
      hardFacts: ["a sum was wrong"],
    });
  });

  test("that is stopped is waited for while it puts its things in order", async () => {
    const stop = new AbortController();
    let tidied = false;
    const prepared = checkOf(async ({ clock, signal }) => {
      stop.abort(new Error("SIGTERM"));
      await sleep(clock, 50);
      tidied = signal.aborted;
      return found;
    });
    const { result } = await executeCheck({ ...executionOf({ signal: stop.signal }), prepared });
    expect(result.outcome).toBe("cancelled");
    expect(tidied).toBe(true);
  });

  test("that found what nobody can hand in is an error now and not later", async () => {
    const figures = { x: { samples: [1], higherIsBetter: true, unit: "x".repeat(100) } };
    const prepared = checkOf(async () => ({ ...found, figures }));
    const { result } = await executeCheck({ ...executionOf(), prepared });
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("figures.x.unit");
  });
});
