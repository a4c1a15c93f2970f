import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapConcurrent } from "../../../src/platform/concurrency/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";

describe("mapConcurrent", () => {
  it("keeps the order of the items and the limit, whatever takes how long", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(100), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.string(),
        async (items, limit, seed) => {
          const clock = new VirtualClock();
          const rng = createRng(seed).stream("duration");
          let running = 0;
          let runningMax = 0;
          const call = mapConcurrent(items, limit, async (item, { index }) => {
            runningMax = Math.max(runningMax, ++running);
            await sleep(clock, rng.int(50));
            running--;
            return [index, item];
          });
          await clock.advance(1000);
          expect(await call).toEqual([...items.entries()]);
          expect(runningMax).toBe(Math.min(limit, items.length));
        },
      ),
      { numRuns: 20 },
    );
  });

  it("takes any iterable, also one with nothing in it", async () => {
    expect(await mapConcurrent(new Set([1, 2]), 5, async (item) => item * 2)).toEqual([2, 4]);
    expect(await mapConcurrent([], 5, async () => 1)).toEqual([]);
  });

  it("after the first failure starts nothing new, aborts the others and waits for them", async () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    const call = mapConcurrent(["good", "bad", "never"], 2, async (item, { signal }) => {
      log.push(`start ${item}`);
      if (item === "bad") throw new Error("bad failed");
      await sleep(clock, 1000, signal).catch(() => log.push(`abort ${item}`));
      await sleep(clock, 10);
      log.push(`end ${item}`);
    });
    const outcome = expect(call).rejects.toThrow("bad failed");
    await clock.advance(5);
    expect(log).toEqual(["start good", "start bad", "abort good"]);
    await clock.advance(10);
    await outcome;
    expect(log.at(-1)).toBe("end good");
  });

  it("reports the first failure when several fail", async () => {
    const call = mapConcurrent([1, 2, 3], 3, async (item) => {
      throw new Error(`failure ${item}`);
    });
    await expect(call).rejects.toThrow("failure 1");
  });

  it("stops with the outer signal's reason", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const started: number[] = [];
    const call = mapConcurrent(
      [1, 2, 3],
      1,
      async (item, { signal }) => {
        started.push(item);
        await sleep(clock, 10, signal);
      },
      { signal: controller.signal },
    );
    const outcome = expect(call).rejects.toThrow("interrupted");
    await clock.advance(15);
    controller.abort(new Error("interrupted"));
    await outcome;
    expect(started).toEqual([1, 2]);
  });

  it("starts nothing when the outer signal has aborted before", async () => {
    let started = 0;
    const signal = AbortSignal.abort(new Error("before"));
    const call = mapConcurrent([1], 1, async () => started++, { signal });
    await expect(call).rejects.toThrow("before");
    expect(started).toBe(0);
  });

  it("refuses a limit below one", async () => {
    await expect(mapConcurrent([1], 0, async (item) => item)).rejects.toThrow("at least 1");
  });
});
