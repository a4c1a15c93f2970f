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
});
