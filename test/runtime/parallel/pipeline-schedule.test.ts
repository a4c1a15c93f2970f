import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  idealBubble,
  pipelineSchedules,
  type ScheduleOptions,
  stepsOfStage,
} from "../../../src/runtime/parallel/index.ts";

const options: fc.Arbitrary<ScheduleOptions> = fc
  .record({
    schedule: fc.constantFrom(...pipelineSchedules),
    stages: fc.integer({ min: 2, max: 6 }),
    rounds: fc.integer({ min: 1, max: 3 }),
    chunks: fc.integer({ min: 2, max: 3 }),
  })
  .map(({ schedule, stages, rounds, chunks }) => ({
    schedule,
    stages,
    microBatches: rounds * stages,
    chunks: schedule === "interleaved" ? chunks : 1,
  }));

/** Runs all stages, each as far as its inputs are there; true when every one gets to its end. */
function completes(o: ScheduleOptions): boolean {
  const queues = Array.from({ length: o.stages }, (_, stage) => [...stepsOfStage(stage, o)]);
  const last = o.stages * o.chunks - 1;
  const done = new Set<string>();
  let moved = true;
  while (moved) {
    moved = false;
    for (const [stage, queue] of queues.entries()) {
      const step = queue[0];
      if (step === undefined) continue;
      const place = step.chunk * o.stages + stage;
      const before = step.pass === "forward" ? place - 1 : place + 1;
      const isFirst = step.pass === "forward" ? place === 0 : place === last;
      const own = done.has(`forward ${step.microBatch} ${place}`);
      const ready = isFirst || done.has(`${step.pass} ${step.microBatch} ${before}`);
      if (!ready || (step.pass === "backward" && !own)) continue;
      queue.shift();
      done.add(`${step.pass} ${step.microBatch} ${place}`);
      moved = true;
    }
  }
  return queues.every((queue) => queue.length === 0);
}

describe("every pipeline schedule", () => {
  it("runs each pass of each micro-batch once on each stage", () => {
    fc.assert(
      fc.property(options, (o) => {
        for (let stage = 0; stage < o.stages; stage++) {
          const names = stepsOfStage(stage, o).map((s) => `${s.pass} ${s.microBatch} ${s.chunk}`);
          expect(names).toHaveLength(2 * o.microBatches * o.chunks);
          expect(new Set(names).size).toBe(names.length);
        }
      }),
    );
  });

  it("comes to its end without waiting in a circle", () => {
    fc.assert(
      fc.property(options, (o) => {
        expect(completes(o)).toBe(true);
      }),
    );
  });
});

describe("1f1b", () => {
  const o: ScheduleOptions = { schedule: "1f1b", stages: 3, microBatches: 6, chunks: 1 };

  it("keeps fewer activations than gpipe", () => {
    const held = (schedule: "1f1b" | "gpipe") => {
      let most = 0;
      let now = 0;
      for (const { pass } of stepsOfStage(0, { ...o, schedule })) {
        now += pass === "forward" ? 1 : -1;
        most = Math.max(most, now);
      }
      return most;
    };
    expect(held("1f1b")).toBe(3);
    expect(held("gpipe")).toBe(6);
  });
});

describe("the bubble", () => {
  it("shrinks with the number of micro-batches and of chunks", () => {
    const base: ScheduleOptions = { schedule: "gpipe", stages: 4, microBatches: 8, chunks: 1 };
    expect(idealBubble(base)).toBeCloseTo(3 / 11);
    expect(idealBubble({ ...base, microBatches: 16 })).toBeCloseTo(3 / 19);
    expect(idealBubble({ ...base, schedule: "interleaved", chunks: 2 })).toBeCloseTo(3 / 19);
  });
});
