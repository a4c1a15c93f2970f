import { describe, expect, test } from "vitest";
import type { ExperimentEventView } from "../../../src/control/api/experiments.ts";
import { EventFeed } from "../../../src/control/experiments/event-feed.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

const event = {
  atS: 1,
  phase: "method",
  kind: "step",
  text: "step 1",
  step: 1,
  units: 1,
} as const;

function fed(heldMax: number, write?: () => Promise<void>) {
  const clock = new VirtualClock();
  const batches: (readonly ExperimentEventView[])[] = [];
  const told: number[] = [];
  const problems: unknown[] = [];
  const feed = new EventFeed({
    clock,
    heldMax,
    write: async (events) => {
      await write?.();
      batches.push(events);
    },
    onWritten: (last) => told.push(last),
    onProblem: (error) => problems.push(error),
  });
  return { feed, clock, batches, told, problems };
}

describe("events on their way into the store", () => {
  test("are numbered and written together, and one word tells of all", async () => {
    const { feed, batches, told } = fed(100);
    for (let count = 0; count < 5; count++) feed.add(event);
    await feed.close();
    expect(batches.map((batch) => batch.map(({ seq }) => seq))).toEqual([[0, 1, 2, 3, 4]]);
    expect(told).toEqual([4]);
  });

  test("beyond what is kept are the newest", async () => {
    const { feed, batches } = fed(3);
    for (let count = 0; count < 20; count++) feed.add(event);
    await feed.close();
    expect(batches.flat().map(({ seq }) => seq)).toEqual([17, 18, 19]);
  });

  test("come again in their order when the store did not take them, and none is missing", async () => {
    let isFull = true;
    const { feed, clock, batches, told, problems } = fed(100, async () => {
      if (isFull) throw new Error("the disk is full");
    });
    feed.add(event);
    feed.add(event);
    await clock.advance(300);
    expect([problems.length, told]).toEqual([1, []]);
    feed.add(event);
    isFull = false;
    // Nothing is added any more: it tries by itself.
    await clock.advance(1000);
    expect(batches.flat().map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(told).toEqual([2]);
  });

  test("are tried less and less often while the store is gone, and often again when it is back", async () => {
    let isGone = true;
    const { feed, clock, problems, told } = fed(100, async () => {
      if (isGone) throw new Error("the store is gone");
    });
    feed.add(event);
    await clock.advance(60_000);
    expect(problems.length).toBeLessThan(12);
    isGone = false;
    await clock.advance(10_000);
    feed.add(event);
    await clock.advance(300);
    expect(told).toEqual([0, 1]);
  });

  test("that wait for a store that is gone are the newest of them", async () => {
    let isGone = true;
    const { feed, clock, batches } = fed(3, async () => {
      if (isGone) throw new Error("the store is gone");
    });
    for (let count = 0; count < 4; count++) {
      feed.add(event);
      await clock.advance(300);
    }
    isGone = false;
    await clock.advance(10_000);
    expect(batches.flat().map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test("are in the store at the end when it was gone for a moment", async () => {
    let failures = 0;
    const { feed, clock, told, problems } = fed(100, async () => {
      if (failures++ < 2) throw new Error("not now");
    });
    feed.add(event);
    const closed = feed.close();
    await clock.advance(10_000);
    await closed;
    expect([problems.length, told]).toEqual([2, [0]]);
  });

  test("that no store takes do not keep the end waiting for ever", async () => {
    const { feed, clock, told, problems } = fed(100, async () => {
      throw new Error("the store is gone");
    });
    feed.add(event);
    const closed = feed.close();
    await clock.advance(10_000);
    await closed;
    const tries = problems.length;
    await clock.advance(600_000);
    expect([told, problems.length]).toEqual([[], tries]);
  });
});
