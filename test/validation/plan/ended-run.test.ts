import { describe, expect, it } from "vitest";
import { verdicts } from "../../../src/platform/words.ts";
import { endedRunOf } from "../../../src/validation/plan/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { nodeOf, openRunOf } from "./small-cluster.ts";

const { intent } = openRunOf(nodeOf("a"), "dl");
const result: NonNullable<RunRecord["result"]> = {
  runId: intent.id,
  origin: "pod",
  outcome: "completed",
  startedAtMs: 4,
  endedAtMs: 5,
  figures: {},
  hardFacts: [],
  facts: {},
};

describe("what a planner learns from a run", () => {
  it("is nothing while it is open", () => {
    expect(endedRunOf({ intent, result: undefined, verdict: undefined })).toBeUndefined();
  });

  it("is its verdict: a suspicion or a riddle says nothing about the node yet", () => {
    const learned = verdicts.map((verdict) => {
      const judged = { runId: intent.id, atMs: 6, verdict, reason: "", findings: [] };
      return [verdict, endedRunOf({ intent, result, verdict: judged })?.outcome];
    });
    expect(Object.fromEntries(learned)).toEqual({
      pass: "passed",
      warn: "passed",
      suspect: "no-result",
      fail: "found",
      unknown: "no-result",
    });
  });

  it("is nothing about the node while nobody has judged it", () => {
    expect(endedRunOf({ intent, result, verdict: undefined })).toEqual({
      node: "a",
      check: "dl",
      endedAtMs: 5,
      outcome: "no-result",
    });
  });

  it("is about the check only when it did not complete, unless a hard fact came to light", () => {
    const outcomes = (["error", "timeout", "cancelled"] as const).flatMap((outcome) =>
      ([undefined, "unknown", "fail"] as const).map((verdict) => {
        const judged = verdict && { runId: intent.id, atMs: 6, verdict, reason: "", findings: [] };
        const record = { intent, result: { ...result, outcome }, verdict: judged };
        return `${outcome} ${verdict}: ${endedRunOf(record)?.outcome}`;
      }),
    );
    expect(outcomes).toEqual([
      "error undefined: broken",
      "error unknown: broken",
      "error fail: found",
      "timeout undefined: broken",
      "timeout unknown: broken",
      "timeout fail: found",
      "cancelled undefined: cancelled",
      "cancelled unknown: cancelled",
      "cancelled fail: found",
    ]);
  });

  it("is nothing, not even about the check, when its job waited for too long to begin", () => {
    const { startedAtMs: _, ...neverBegun } = result;
    const learned = (["timeout", "error"] as const).map((outcome) => {
      const record = { intent, result: { ...neverBegun, outcome }, verdict: undefined };
      return `${outcome}: ${endedRunOf(record)?.outcome}`;
    });
    // A job that breaks at once may end before anybody saw it run.
    expect(learned).toEqual(["timeout: cancelled", "error: broken"]);
  });
});
