import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/platform/words.ts";
import type { RuleName } from "../../../src/validation/classify/index.ts";
import { CheckStates, judgedRun, wantedRetests } from "../../../src/validation/judge/index.ts";
import { dayMs, hourMs, run, startMs } from "./records.ts";

const guard = { retestAfterMs: 600_000 };

/** What is wanted after runs of one node with these verdicts, an hour apart. */
function after(...verdicts: readonly (readonly [Verdict, RuleName?])[]) {
  const states = new CheckStates();
  for (const [at, [verdict, rule]] of verdicts.entries()) {
    const finding = rule && { metric: "*", rule, value: null, bound: null, cohort: "" };
    const findings = finding === undefined ? [] : [finding];
    const outcome = rule === "incomplete" ? "error" : "completed";
    const record = run({
      node: "n1",
      atMs: startMs + at * hourMs,
      result: { outcome },
      verdict: { verdict, findings },
    });
    const judged = judgedRun(record);
    if (judged !== undefined) states.add(judged);
  }
  return wantedRetests(states, guard);
}

describe("retests", () => {
  it.each([
    [["pass"]],
    [["warn"]],
    [["fail"]],
    [["suspect"], ["pass"]],
    [["suspect"], ["fail"]],
  ] as const)("none after %j", (...verdicts) => {
    expect(after(...verdicts)).toEqual([]);
  });

  it("none where nothing can be compared with, since another run would not help", () => {
    expect(after(["unknown", "no-reference"])).toEqual([]);
  });

  it("one after a suspicion, with its reason", () => {
    expect(after(["pass"], ["suspect"])).toMatchObject([
      { node: "n1", purpose: "retest", notBeforeMs: startMs + hourMs + 600_000 },
    ]);
    expect(after(["suspect"])[0]?.reason).toMatch(/^suspect at 2026-06-01T00:00:00.000Z: Well\.$/);
  });

  it("another after one that came to nothing", () => {
    expect(after(["suspect"], ["unknown", "incomplete"])).toHaveLength(1);
    expect(after(["pass"], ["unknown", "incomplete"])).toEqual([]);
  });

  it("each waits twice as long as the one before, and never more than a day", () => {
    const suspects = (count: number) => Array.from({ length: count }, () => ["suspect"] as const);
    const waitMs = (count: number) =>
      (after(...suspects(count))[0]?.notBeforeMs ?? 0) - startMs - (count - 1) * hourMs;
    expect([1, 2, 3].map(waitMs)).toEqual([600_000, 1_200_000, 2_400_000]);
    expect(waitMs(12)).toBe(dayMs);
  });

  it("not within the hour after an incident", () => {
    expect(after(["suspect", "incident"])[0]?.notBeforeMs).toBe(startMs + hourMs);
  });
});
