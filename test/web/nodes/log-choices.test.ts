import { describe, expect, it } from "vitest";
import type { CheckVerdictView } from "../../../src/control/api/nodes.ts";
import type { RunRow } from "../../../src/control/api/runs.ts";
import { logChoices } from "../../../web/src/pages/nodes/log-choices.ts";

const at = "2026-03-01T09:30:00.000Z";

function verdict(standing: CheckVerdictView["standing"], runId: string | null): CheckVerdictView {
  return {
    check: `check-${standing}`,
    standing,
    sentence: "",
    at,
    runId,
    findings: [],
    hardFacts: [],
    ageDays: null,
    isStale: false,
  };
}

function run(id: string, startedAt: string | null = at): RunRow {
  return {
    id,
    cluster: "c",
    node: "n",
    check: "dl-unit",
    purpose: "routine",
    state: "running",
    plannedAt: at,
    startedAt,
    endedAt: null,
    outcome: null,
    verdict: null,
    reason: null,
    provenance: "simulated",
  };
}

describe("the logs of a node", () => {
  it("begin with the run that its worst verdict rests on, however new others are", () => {
    const verdicts = [verdict("pass", "good"), verdict("fail", "bad")];
    const choices = logChoices(verdicts, [run("new"), run("bad")]);
    expect(choices.map(({ runId }) => runId)).toEqual(["bad", "good", "new"]);
    expect(choices[0]?.label).toMatch(/^check-fail: fail.*rests on/);
    expect(choices[2]?.label).toMatch(/^dl-unit: running/);
  });

  it("are those of its runs where nothing was judged, and none of a run that has not begun", () => {
    expect(logChoices([verdict("untested", null)], [run("waits", null), run("new")])).toMatchObject(
      [{ runId: "new" }],
    );
    expect(logChoices([], [])).toEqual([]);
  });
});
