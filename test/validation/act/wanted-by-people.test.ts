import { describe, expect, it } from "vitest";
import { deedsOf, wantedByPeople } from "../../../src/validation/act/index.ts";
import type { NodeEvent } from "../../../src/validation/history/index.ts";
import { CheckStates } from "../../../src/validation/judge/index.ts";

const dayMs = 86_400_000;
const wish = (details: object = {}): NodeEvent => ({
  cluster: "c",
  node: "n1",
  atMs: 10 * dayMs,
  kind: "override",
  details: { action: "test", reason: "cable replaced", actor: "ann", ...details },
});

function wanted(events: readonly NodeEvent[], states = new CheckStates(), nowMs = 10 * dayMs) {
  return wantedByPeople({ states, events, requiredChecks: ["a", "b"], nowMs });
}

function stateWith(plannedAtMs: number): CheckStates {
  const states = new CheckStates();
  states.add({
    runId: "r1",
    node: "n1",
    check: "a",
    purpose: "manual",
    plannedAtMs,
    endedAtMs: plannedAtMs + 1,
    outcome: "completed",
    verdict: "pass",
    reason: "",
    findings: [],
  });
  return states;
}

describe("runs that people ask for", () => {
  it("are wanted of every check, or of the one that was named, with who asked and why", () => {
    expect(wanted([wish()]).map(({ check }) => check)).toEqual(["a", "b"]);
    const [only, ...others] = wanted([wish({ check: "b" })]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ check: "b", purpose: "manual", node: "n1" });
    expect(only?.reason).toBe("ann asked for it: cable replaced");
  });

  it("are wanted until a run that was planned after the wish has ended, not by one of before", () => {
    const after = stateWith(10 * dayMs);
    expect(wanted([wish()], after).map(({ check }) => check)).toEqual(["b"]);
    const before = stateWith(10 * dayMs - 1);
    expect(wanted([wish()], before).map(({ check }) => check)).toEqual(["a", "b"]);
  });

  it("are forgotten after a week, and other words ask for nothing", () => {
    expect(wanted([wish()], new CheckStates(), 17 * dayMs + 1)).toEqual([]);
    expect(wanted([wish({ action: "hold" })])).toEqual([]);
  });

  it("neither hold nor release a node", () => {
    expect(deedsOf([wish()]).get("n1")?.override).toBeUndefined();
  });
});
