import { describe, expect, it } from "vitest";
import { openView, postponedView } from "../../../src/control/fleet/queue.ts";
import type { PostponedRun, Rail } from "../../../src/validation/plan/index.ts";
import { intentOf } from "../../validation/history/support/samples.ts";

const waiting = (rail: Rail, count: number): PostponedRun[] =>
  Array.from({ length: count }, (_, at) => ({
    node: `n${at}`,
    check: undefined,
    rail,
    reason: rail,
  }));

describe("what is kept waiting", () => {
  it("is counted as a whole, and of each rail the first are listed", () => {
    const plan = {
      postponed: [...waiting("limit", 1000), ...waiting("not-free", 3)],
      postponedByRail: new Map<Rail, number>([
        ["not-free", 3],
        ["limit", 9997],
      ]),
    };
    const { postponed, ...counts } = postponedView(plan, 100);
    expect(counts).toEqual({
      postponedByRail: [
        { rail: "limit", count: 9997 },
        { rail: "not-free", count: 3 },
      ],
      postponedTotal: 10_000,
    });
    expect(postponed.filter(({ rail }) => rail === "limit")).toHaveLength(100);
    expect(postponed.filter(({ rail }) => rail === "not-free")).toHaveLength(3);
  });

  it("is nothing where no rail keeps anything back", () => {
    expect(postponedView({ postponed: [], postponedByRail: new Map() }, 100)).toEqual({
      postponed: [],
      postponedByRail: [],
      postponedTotal: 0,
    });
  });
});

describe("a run under way", () => {
  const intent = intentOf({ plannedAtMs: 60_000, purpose: "retest", reason: "busbw 40 below 42" });
  const open = { intent, submittedAtMs: 61_000, runningAtMs: undefined, cancelling: undefined };

  it("has why and what for it was made, and for how long it has been under way", () => {
    expect(openView(open, 150_000)).toMatchObject({
      state: "submitted",
      purpose: "retest",
      reason: "busbw 40 below 42",
      elapsedS: 90,
    });
  });

  it("has been so for no time where its cluster's clock was set back", () => {
    expect(openView(open, 1000).elapsedS).toBe(0);
  });
});
