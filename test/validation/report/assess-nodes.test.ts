import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHealthy, verdicts } from "../../../src/platform/words.ts";
import {
  assessNodes,
  countNodes,
  coverageOf,
  type ReportNode,
} from "../../../src/validation/report/index.ts";
import { data, node, run } from "./support.ts";

const statusOf = (...runs: Parameters<typeof run>[0][]) =>
  assessNodes(data({ runs: runs.map(run) }))[0];

describe("what is concluded about a node", () => {
  it.each([
    ["its newest run of a check counts", [{ verdict: "fail", daysAgo: 3 }, { daysAgo: 1 }], "pass"],
    ["the worst check counts", [{ check: "a" }, { check: "b", verdict: "suspect" }], "suspect"],
    [
      "a proven failure outweighs what is unknown",
      [
        { check: "a", outcome: "error" },
        { check: "b", verdict: "fail" },
      ],
      "fail",
    ],
    [
      "an error after a pass is unknown",
      [{ daysAgo: 2 }, { daysAgo: 1, outcome: "error", verdict: "unknown" }],
      "unknown",
    ],
    [
      "a timeout that somebody called a pass is unknown",
      [{ outcome: "timeout", verdict: "pass" }],
      "unknown",
    ],
    ["a completed run without a verdict is unknown", [{ verdict: undefined }], "unknown"],
    [
      "a run that we cancelled leaves the one before it standing",
      [{ daysAgo: 2 }, { outcome: "cancelled", verdict: "unknown" }],
      "pass",
    ],
    [
      "a node whose only run we cancelled was not tested",
      [{ outcome: "cancelled", verdict: "unknown" }],
      "skipped",
    ],
    [
      "a hard fact of a cancelled run is a fail",
      [{ outcome: "cancelled", verdict: "fail" }],
      "fail",
    ],
    ["a node whose only run is under way was not tested", [{ outcome: "open" }], "skipped"],
  ] as const)("%s", (_, runs, expected) => {
    expect(statusOf(...runs.map((one) => ({ node: "a", ...one })))?.status).toBe(expected);
  });

  it.each([
    [
      { state: "busy", why: "pod ml/train holds 8 of 8 GPUs" },
      /^busy with users' jobs: pod ml\/train/,
    ],
    [{ state: "untestable", why: "not ready" }, /^cannot be tested: not ready; not every check/],
    [{ state: "free" }, /^due and not begun; not every check has ever completed/],
    [{ state: "unseen" }, /^nobody can tell whether it is free; not every check has ever/],
  ] as const)("a node that was not tested says why: %j", (about, reason) => {
    const [only] = assessNodes(data({ nodes: [node("a", about)] }));
    expect(only).toMatchObject({ status: "skipped", complete: false });
    expect(only?.reason).toMatch(reason);
  });

  it("evidence from after the window does not count", () => {
    const later = run({ node: "a", daysAgo: -3 });
    const [only] = assessNodes(data({ nodes: [node("a")], runs: [later] }));
    expect(only).toMatchObject({ complete: false, ageDays: undefined });
  });

  it("evidence is complete only with every check, and only while it is fresh", () => {
    const runs = [run({ node: "a", check: "x", daysAgo: 2 }), run({ node: "a", check: "y" })];
    const complete = (more: object) => assessNodes(data({ runs, ...more }))[0]?.complete;
    expect(complete({ checks: ["x", "y"] })).toBe(true);
    expect(complete({ checks: ["x", "y", "z"] })).toBe(false);
    expect(complete({ checks: ["x", "y"], staleAfterDays: 1.5 })).toBe(false);
    expect(complete({ checks: [] })).toBe(false);
  });
});

describe("the coverage of nodes without fresh evidence", () => {
  const coverageIn = (...states: readonly ReportNode["state"][]) =>
    coverageOf(assessNodes(data({ nodes: states.map((state, at) => node(`n${at}`, { state })) })));

  it("counts a node as free only when it was seen to be free", () => {
    expect(coverageIn("free", "under-test", "under-test", "unseen", "busy")).toMatchObject({
      overdueFree: 1,
      overdueUnderTest: 2,
      overdueUnseen: 1,
      overdueBusy: 1,
      overdueUntestable: 0,
    });
  });

  it("looks no better for nodes that nobody has seen or that are being tested", () => {
    const fresh = data({ runs: [run({ node: "a" })] });
    const nodes = [...fresh.nodes, node("b", { state: "unseen" }), node("c"), node("d")];
    const all = assessNodes({ ...fresh, nodes: [...nodes, node("e", { state: "under-test" })] });
    expect(coverageOf(all).shareOfTestable).toBe(1 / 5);
    expect(coverageIn("busy", "untestable").shareOfTestable).toBeUndefined();
  });
});

const anyRun = fc.record({
  node: fc.constantFrom("a", "b", "c", "d"),
  check: fc.constantFrom("x", "y"),
  daysAgo: fc.double({ min: 0.1, max: 20, noNaN: true }),
  outcome: fc.constantFrom("completed", "error", "timeout", "cancelled", "open"),
  verdict: fc.constantFrom(...verdicts, undefined),
} as const);
const anyData = fc
  .record({
    runs: fc.array(anyRun, { maxLength: 25 }),
    states: fc.array(fc.constantFrom("free", "busy", "untestable", "under-test", "unseen"), {
      minLength: 5,
      maxLength: 5,
    }),
  })
  .map(({ runs, states }) =>
    data({
      checks: ["x", "y"],
      runs: runs.map(run),
      nodes: ["a", "b", "c", "d", "e"].map((name, at) =>
        node(name, { state: states[at] ?? "free" }),
      ),
    }),
  );

describe("any history", () => {
  it("counts every node once, in verdicts and in coverage", () => {
    fc.assert(
      fc.property(anyData, (all) => {
        const assessments = assessNodes(all);
        const counts = Object.values(countNodes(assessments)).reduce((sum, one) => sum + one, 0);
        expect(counts).toBe(all.nodes.length);
        const { covered, nodes, ...overdue } = coverageOf(assessments);
        const owed =
          overdue.overdueBusy +
          overdue.overdueFree +
          overdue.overdueUntestable +
          overdue.overdueUnderTest +
          overdue.overdueUnseen;
        expect(covered + owed).toBe(nodes);
        expect(nodes).toBe(all.nodes.length);
      }),
    );
  });

  it("calls no node healthy that has not a completed run judged healthy for each check that was run", () => {
    fc.assert(
      fc.property(anyData, (all) => {
        for (const { status, answers } of assessNodes(all)) {
          if (status === "skipped" || !isHealthy(status)) continue;
          expect(answers.length).toBeGreaterThan(0);
          for (const { run: record } of answers) {
            expect(record.result?.outcome).toBe("completed");
            expect(isHealthy(record.verdict?.verdict ?? "unknown")).toBe(true);
          }
        }
      }),
    );
  });
});
