import { describe, expect, test } from "vitest";
import type { ExperimentEventView } from "../../../src/control/api/experiments.ts";
import { EventFeed } from "../../../src/control/experiments/event-feed.ts";
import { settle, VirtualClock } from "../../../src/platform/time/index.ts";

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

  test("that cannot be written are told of, and the next ones are tried", async () => {
    let isFull = true;
    const { feed, told, problems } = fed(3, async () => {
      if (isFull) throw new Error("the disk is full");
    });
    feed.add(event);
    await feed.close();
    expect([problems.length, told]).toEqual([1, []]);
    isFull = false;
    feed.add(event);
    await feed.close();
    await settle();
    expect(told).toEqual([1]);
  });
});
