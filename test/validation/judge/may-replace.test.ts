import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/platform/words.ts";
import type { RuleName } from "../../../src/validation/classify/index.ts";
import { mayReplace } from "../../../src/validation/judge/may-replace.ts";
import type { RunVerdict } from "../../../src/validation/run.ts";

const hourMs = 3_600_000;

function verdict(word: Verdict, rule?: RuleName): RunVerdict {
  const finding = rule && { metric: "*", rule, value: null, bound: null, cohort: "" };
  const findings = finding === undefined ? [] : [finding];
  return { runId: "r", atMs: 0, verdict: word, reason: `${word}.`, findings };
}

const apart = { isNew: false, hasNewRun: false, endedAgoMs: hourMs };
const sameNode = { ...apart, hasNewRun: true };

describe("a second look", () => {
  it.each([
    ["a suspicion is confirmed", verdict("suspect"), verdict("fail"), apart, true],
    ["a suspicion is cleared", verdict("suspect"), verdict("warn"), apart, true],
    ["a suspicion cannot become unknown", verdict("suspect"), verdict("unknown"), sameNode, false],
    ["the same again is nothing new", verdict("suspect"), verdict("suspect"), sameNode, false],
    ["a failure stays when later runs are well", verdict("fail"), verdict("warn"), sameNode, false],
    [
      "a failure is taken back for an incident",
      verdict("fail"),
      verdict("warn", "incident"),
      apart,
      true,
    ],
    [
      "a hard fact is not taken back",
      verdict("fail", "hard-fact"),
      verdict("warn", "incident"),
      apart,
      false,
    ],
    [
      "a pass stays where the node has no new run",
      verdict("pass"),
      verdict("suspect"),
      apart,
      false,
    ],
    [
      "a pass is worse in hindsight with a new run",
      verdict("pass"),
      verdict("fail"),
      sameNode,
      true,
    ],
    ["a warning does not become a pass", verdict("warn"), verdict("pass"), sameNode, false],
    [
      "what was no incident after all is looked at again",
      verdict("warn", "incident"),
      verdict("suspect"),
      apart,
      true,
    ],
    [
      "but not after a day",
      verdict("warn", "incident"),
      verdict("suspect"),
      { ...apart, endedAgoMs: 25 * hourMs },
      false,
    ],
    [
      "what had nothing to compare with",
      verdict("unknown", "no-reference"),
      verdict("pass"),
      apart,
      true,
    ],
    ["what was garbled stays so", verdict("unknown", "garbled"), verdict("pass"), sameNode, false],
  ] as const)("%s", (_, stored, next, context, expected) => {
    expect(mayReplace(stored, next, context)).toBe(expected);
  });

  it("a run nobody has judged gets any verdict", () => {
    expect(mayReplace(undefined, verdict("unknown"), apart)).toBe(true);
  });

  it("a new result counts, whatever was thought of the old one", () => {
    expect(mayReplace(verdict("fail"), verdict("pass"), { ...apart, isNew: true })).toBe(true);
  });
});
