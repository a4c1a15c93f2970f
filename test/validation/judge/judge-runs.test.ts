import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JudgeInput, judgeRuns } from "../../../src/validation/judge/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { baseline, dayMs, figureAt, fleet, hourMs, run, startMs, withVerdicts } from "./records.ts";

const settings = { compareDays: 30, guard: { retestAfterMs: 10 * 60_000 } };
const unjudged = fleet(16);
const healthy = fleet(16, { verdict: {} });
const laterMs = startMs + 20 * hourMs;

function judge(newRuns: readonly RunRecord[], rest: Partial<JudgeInput> = {}) {
  const input = { newRuns, comparable: healthy, baselines: [], settings, nowMs: laterMs };
  return judgeRuns({ ...input, ...rest });
}

/** Judges runs one after the other, each with what was thought of the earlier ones. */
function inTurn(runs: readonly RunRecord[], rest: Partial<JudgeInput> = {}) {
  let known = healthy;
  let last = judge([]);
  for (const next of runs) {
    const nowMs = next.result?.endedAtMs ?? 0;
    last = judge([next], { comparable: known, nowMs, ...rest });
    known = withVerdicts([...known, next], last.verdicts);
  }
  const verdictOf = ({ intent }: RunRecord) =>
    known.find((record) => record.intent.id === intent.id)?.verdict;
  return { ...last, verdictOf };
}

describe("a healthy fleet", () => {
  it("passes, each run with a sentence that names its cohort", () => {
    const { verdicts, wanted } = judge(unjudged, { comparable: [] });
    expect(verdicts).toHaveLength(16);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["pass"]));
    expect(verdicts[0]?.reason).toContain("gpu-x speed-test, 16 nodes");
    expect(verdicts[0]).toMatchObject({ atMs: laterMs, about: "pod" });
    expect(wanted).toEqual([]);
  });

  it("is not judged again when nothing is new", () => {
    expect(judge([]).verdicts).toEqual([]);
    const next = run({ node: "n3", atMs: laterMs });
    const { verdicts } = judge([next]);
    expect(verdicts.map(({ runId }) => runId)).toEqual([next.intent.id]);
  });

  it("is unknown with fewer than eight nodes, and judged once there are eight", () => {
    const few = unjudged.slice(0, 7);
    const first = judge(few, { comparable: [] });
    expect(new Set(first.verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["unknown"]));
    expect(first.wanted).toEqual([]);
    const eighth = run({ node: "n90", atMs: laterMs });
    const { verdicts } = judge([eighth], { comparable: withVerdicts(few, first.verdicts) });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 8 }, () => "pass"));
  });
});

describe("a slow node", () => {
  const slow = (node: string, hours: number, level = 85) =>
    run({ node, atMs: startMs + hours * hourMs, level });

  it("is suspect with value, bound and rule, and a retest is wanted after the wait", () => {
    const bad = slow("n2", 30);
    const { verdictOf, wanted } = inTurn([bad]);
    expect(verdictOf(bad)).toMatchObject({ verdict: "suspect" });
    const [finding] = verdictOf(bad)?.findings ?? [];
    expect(finding).toMatchObject({ metric: "speed", rule: expect.any(String) as string });
    expect(finding?.value).toBeLessThan(finding?.bound ?? 0);
    expect(wanted).toEqual([
      expect.objectContaining({
        node: "n2",
        check: "speed-test",
        purpose: "retest",
        notBeforeMs: startMs + 30 * hourMs + 10 * 60_000,
      }),
    ]);
  });

  it("fails when the retest confirms it, the first run too", () => {
    const [first, second] = [slow("n2", 30), slow("n2", 31)];
    const { verdictOf, wanted } = inTurn([first, second]);
    expect(verdictOf(first)?.verdict).toBe("fail");
    expect(verdictOf(second)?.verdict).toBe("fail");
    expect(wanted).toEqual([]);
  });

  it("is cleared by a retest that is well: the first run becomes warn", () => {
    const first = slow("n2", 30);
    const second = slow("n2", 31, 100);
    const { verdictOf, wanted } = inTurn([first, second]);
    expect(verdictOf(first)?.verdict).toBe("warn");
    expect(verdictOf(second)?.verdict).toBe("pass");
    expect(wanted).toEqual([]);
  });

  it("fails when it is bad three times in fourteen days, whatever lies between", () => {
    const runs = [30, 50, 70, 90, 110].map((hours, at) =>
      slow("n2", hours, at % 2 === 0 ? 85 : 100),
    );
    const { verdictOf } = inTurn(runs);
    const bad = runs.filter((_, at) => at % 2 === 0);
    expect(bad.map((one) => verdictOf(one)?.verdict)).toEqual(["fail", "fail", "fail"]);
  });

  it("stays failed in the record when it is well later", () => {
    const runs = [slow("n2", 30), slow("n2", 31), slow("n2", 60, 100), slow("n2", 61, 100)];
    const { verdictOf } = inTurn(runs);
    expect(runs.slice(0, 2).map((one) => verdictOf(one)?.verdict)).toEqual(["fail", "fail"]);
  });

  it("begins anew after a repair: earlier runs confirm nothing", () => {
    const [before, after] = [slow("n2", 30), slow("n2", 60)];
    const repair = {
      cluster: "prod",
      node: "n2",
      atMs: startMs + 40 * hourMs,
      kind: "repair",
      details: {},
    } as const;
    expect(inTurn([before, after]).verdictOf(after)?.verdict).toBe("fail");
    expect(inTurn([before, after], { events: [repair] }).verdictOf(after)?.verdict).toBe("suspect");
  });
});

describe("runs that came to nothing", () => {
  it.each([
    ["error", "ended with an error: the pod was killed"],
    ["timeout", "took too long: the pod was killed"],
    ["cancelled", "was cancelled: the pod was killed"],
  ] as const)("%s is unknown and says how it ended", (outcome, text) => {
    const result = { outcome, error: "the pod was killed.", figures: {} };
    const { verdicts } = judge([run({ node: "n1", result })]);
    expect(verdicts).toMatchObject([
      { verdict: "unknown", reason: `The run ${text}; it says nothing about the node.` },
    ]);
    expect(verdicts[0]?.findings).toMatchObject([{ rule: "incomplete" }]);
  });

  it("a hard fact fails the node at once, even where the run ended with an error", () => {
    const hardFacts = ["2 new uncorrectable memory errors on GPU 3"];
    const result = { outcome: "error", figures: {}, hardFacts } as const;
    const { verdicts } = judge([run({ node: "n1", result })]);
    expect(verdicts).toMatchObject([{ verdict: "fail", reason: `${hardFacts[0]}.` }]);
  });

  it("samples that mean nothing are unknown, and asked for again", () => {
    const figures = { speed: { samples: [100, Number.NaN], higherIsBetter: true } };
    const { verdicts, wanted } = judge([run({ node: "n1", atMs: laterMs, result: { figures } })]);
    expect(verdicts).toMatchObject([{ verdict: "unknown" }]);
    expect(wanted).toMatchObject([{ node: "n1", purpose: "retest" }]);
  });

  it("what the pod says later replaces what the loop concluded", () => {
    const record = run({ node: "n1", atMs: laterMs, verdict: { verdict: "unknown" } });
    expect(judge([record]).verdicts).toMatchObject([{ verdict: "pass", about: "pod" }]);
  });
});

describe("an incident", () => {
  const incident = (minutes: number, node: string, level = 60) =>
    run({ node, atMs: startMs + 100 * hourMs + minutes * 60_000, level });

  it("fails nobody: what was suspect or failed before is revised", () => {
    const runs = Array.from({ length: 10 }, (_, at) => incident(at * 3, `n${at}`));
    const { verdictOf } = inTurn(runs);
    const verdicts = runs.map((one) => verdictOf(one)?.verdict);
    expect(verdicts).not.toContain("fail");
    expect(verdictOf(runs[9] ?? incident(0, "n0"))?.findings).toContainEqual(
      expect.objectContaining({ rule: "incident" }),
    );
    expect(verdictOf(runs[0] ?? incident(0, "n0"))?.verdict).toBe("warn");
  });
});

describe("baselines", () => {
  const drifted = (percent: number) => fleet(16, { level: 100 - percent, atMs: startMs });

  it("show a drift of the whole cohort that the band cannot see, and blame no node", () => {
    const runs = drifted(6);
    const { verdicts } = judge(runs, { comparable: [], baselines: [baseline()] });
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["warn"]));
    expect(verdicts[0]).toMatchObject({ baselineId: "bl-000000000001" });
    const rules = verdicts[0]?.findings.map(({ rule }) => rule) ?? [];
    expect(rules).toContain("baseline");
    expect(rules).toContain("incident");
    expect(verdicts[0]?.reason).toMatch(
      /16 nodes .* below the 100 GB\/s of baseline bl-.*one incident/,
    );
  });

  it("say nothing about a cohort that is as it was, or better", () => {
    for (const percent of [0.5, -8]) {
      const { verdicts } = judge(drifted(percent), { comparable: [], baselines: [baseline()] });
      expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["pass"]));
    }
  });

  it.each([
    ["superseded", { state: "superseded" }],
    ["expired", { expiresAtMs: laterMs }],
    ["of another cluster", { provenance: { cluster: "lab" } }],
    ["of another cohort", { cohort: "fw-2" }],
  ] as const)("that are %s are not compared with", (_, wish) => {
    const { verdicts } = judge(drifted(6), { comparable: [], baselines: [baseline(wish)] });
    expect(verdicts.every(({ verdict }) => verdict === "pass")).toBe(true);
    expect(verdicts.every((verdict) => verdict.baselineId === undefined)).toBe(true);
  });

  it("make a lone node suspect when it is far out, though nobody can be compared with it", () => {
    const far = run({ node: "n1", level: 88 });
    const { verdicts } = judge([far], { comparable: [], baselines: [baseline()] });
    expect(verdicts).toMatchObject([{ verdict: "suspect" }]);
    const near = run({ node: "n1", level: 99 });
    const same = judge([near], { comparable: [], baselines: [baseline()] });
    expect(same.verdicts).toMatchObject([{ verdict: "unknown" }]);
  });

  it("see no incident in one slow run of a cohort that is as it was", () => {
    const slow = run({ node: "n1", atMs: laterMs, level: 95 });
    const { verdicts } = judge([slow], { baselines: [baseline()] });
    const rules = verdicts[0]?.findings.map(({ rule }) => rule);
    expect(rules).toContain("baseline");
    expect(rules).not.toContain("incident");
  });

  it("leave a run unknown that has fewer samples than usual, however slow it is", () => {
    const figures = { speed: figureAt(70, 4) };
    const { verdicts } = judge([run({ node: "n1", atMs: laterMs, result: { figures } })], {
      baselines: [baseline()],
    });
    expect(verdicts).toMatchObject([{ verdict: "unknown", findings: [{ rule: "few-samples" }] }]);
  });

  it("never turn a garbled run into anything but unknown", () => {
    const figures = { speed: { samples: [50, -1], higherIsBetter: true, unit: "GB/s" } };
    const { verdicts } = judge([run({ node: "n1", result: { figures } })], {
      baselines: [baseline()],
    });
    expect(verdicts).toMatchObject([{ verdict: "unknown" }]);
  });
});

describe("whatever the order of the runs", () => {
  it("the verdicts are the same", () => {
    const bad = [run({ node: "n2", atMs: laterMs, level: 85 }), run({ node: "n5", atMs: laterMs })];
    const usual = judge(bad, { baselines: [baseline()] }).verdicts;
    const sorted = (verdicts: typeof usual) =>
      verdicts.toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...healthy], { minLength: healthy.length }),
        (comparable) => {
          const { verdicts } = judge(bad.toReversed(), { comparable, baselines: [baseline()] });
          expect(sorted(verdicts)).toEqual(sorted(usual));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("every new run gets exactly one verdict", () => {
    const outcome = fc.constantFrom("completed", "error", "timeout", "cancelled");
    const wishes = fc.array(
      fc.record({
        node: fc.constantFrom("n0", "n1", "n20"),
        level: fc.constantFrom(60, 85, 100, 130),
        outcome,
        hours: fc.integer({ min: 0, max: 700 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(wishes, (all) => {
        const runs = all.map(({ node, level, outcome: ended, hours }) =>
          run({ node, level, atMs: startMs + hours * hourMs, result: { outcome: ended } }),
        );
        const nowMs = startMs + 30 * dayMs;
        const { verdicts } = judge(runs, { nowMs, comparable: [...healthy, ...runs] });
        for (const { intent, result } of runs) {
          const own = verdicts.filter(({ runId }) => runId === intent.id);
          expect(own).toHaveLength(1);
          expect(own[0]?.reason).toMatch(/^[^\n]+\.$/);
          if (result?.outcome !== "completed") expect(own[0]?.verdict).toBe("unknown");
        }
      }),
      { numRuns: 40 },
    );
  });
});
