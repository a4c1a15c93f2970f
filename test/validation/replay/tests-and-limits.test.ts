import { describe, expect, it } from "vitest";
import { dayS, hourS, replayWishes, smallLog } from "./small-log.ts";

describe("a test in a replay", () => {
  it("holds a free node for its minutes and then gives a result", () => {
    const { policy, metrics } = replayWishes(smallLog([]), [{ atS: 0, node: 1 }]);
    expect(policy.all("tested")).toEqual([
      { type: "tested", t: hourS, node: 1, check: 0, outcome: "passed" },
    ]);
    expect(metrics).toMatchObject({ testsRun: 1, gpuHours: 8 });
  });

  it("is not begun on a busy node", () => {
    const log = smallLog([
      { type: "busy", t: 0, node: "b" },
      { type: "free", t: 5 * hourS + 7, node: "b" },
    ]);
    const { policy } = replayWishes(log, [{ atS: 0, node: 1 }]);
    expect(policy.begunAtS).toEqual([5 * hourS + 7]);
  });

  it("pre-empted by a job gives no result and is charged for the time it used", () => {
    const log = smallLog([{ type: "busy", t: hourS / 2, node: "b" }]);
    const { policy, metrics } = replayWishes(log, [{ atS: 0, node: 1 }]);
    expect(policy.all("tested")).toMatchObject([{ t: hourS / 2, outcome: "preempted" }]);
    expect(metrics).toMatchObject({ testsRun: 0, gpuHours: 4, coverage: 0 });
  });

  it("that ends when a job comes has given its result", () => {
    const log = smallLog([{ type: "busy", t: hourS, node: "b" }]);
    const { policy, metrics } = replayWishes(log, [{ atS: 0, node: 1 }]);
    expect(policy.all("tested")).toMatchObject([{ t: hourS, outcome: "passed" }]);
    expect(metrics).toMatchObject({ testsRun: 1, gpuHours: 8 });
  });

  it("that still runs at the end of the log is charged until then", () => {
    const log = smallLog([], { end: 1800 });
    expect(replayWishes(log, [{ atS: 0, node: 0 }]).metrics).toMatchObject({
      testsRun: 0,
      gpuHours: 4,
    });
  });
});

describe("the limits of a replay", () => {
  it("allow no more tests at once than inFlight", () => {
    const log = smallLog([], { limits: { inFlight: 2, gpuHoursPerDay: 1000 } });
    const { policy } = replayWishes(
      log,
      [0, 1, 2].map((node) => ({ atS: 0, node })),
    );
    expect(policy.begunAtS).toEqual([0, 0, hourS]);
  });

  it("charge a test in full to the day it begins on, and refuse what does not fit", () => {
    const log = smallLog([], { limits: { inFlight: 8, gpuHoursPerDay: 20 } });
    const begin = dayS - 1200;
    const { policy } = replayWishes(
      log,
      [0, 1, 2].map((node) => ({ atS: begin, node })),
    );
    // Two of 8 fit into 20; the third waits for midnight, although the first two still run then.
    expect(policy.begunAtS).toEqual([begin, begin, dayS]);
  });

  it("count by floor(t / 86400), wherever the log starts", () => {
    const start = dayS + 1200;
    const log = smallLog([], { start, limits: { inFlight: 8, gpuHoursPerDay: 8 } });
    const { policy } = replayWishes(
      log,
      [0, 1].map((node) => ({ atS: 0, node })),
    );
    expect(policy.begunAtS).toEqual([start, 2 * dayS]);
  });

  it("let a budget be used to the last minute", () => {
    const checks = [{ name: "test", minutes: 20, sensitivity: {} }];
    const log = smallLog([], { checks, limits: { inFlight: 1, gpuHoursPerDay: 8 } });
    const wishes = Array.from({ length: 4 }, () => ({ atS: 0, node: 0 }));
    expect(replayWishes(log, wishes).policy.begunAtS).toEqual([0, 1200, 2400, dayS]);
  });

  it("give back to the day what a pre-empted test did not use", () => {
    const log = smallLog([{ type: "busy", t: hourS / 2, node: "a" }], {
      limits: { inFlight: 8, gpuHoursPerDay: 12 },
    });
    const { policy } = replayWishes(
      log,
      [0, 1].map((node) => ({ atS: 0, node })),
    );
    expect(policy.begunAtS).toEqual([0, hourS / 2]);
  });
});

describe("a policy is asked", () => {
  it("at every free, at every test end and every ten minutes, and not in between", () => {
    const log = smallLog(
      [
        { type: "busy", t: 100, node: "a" },
        { type: "kernel", t: 200, node: "a", xid: 13 },
        { type: "free", t: 700, node: "a" },
      ],
      { end: 2000, checks: [{ name: "test", minutes: 5, sensitivity: {} }] },
    );
    const { policy } = replayWishes(log, [{ atS: 0, node: 1 }]);
    expect(policy.askedAtS).toEqual([0, 300, 600, 700, 1200, 1800]);
  });

  it("after everything of the same second has happened", () => {
    const log = smallLog([
      { type: "busy", t: 0, node: "a" },
      { type: "free", t: 700, node: "a" },
      { type: "busy", t: 700, node: "a" },
    ]);
    expect(replayWishes(log, [{ atS: 0, node: 0 }]).policy.begunAtS).toEqual([]);
  });
});
