import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countStatuses,
  itemsOf,
  renderHtml,
  renderJunit,
  renderMarkdown,
  verdictOf,
} from "../../../src/platform/reporters/index.ts";
import { verdicts } from "../../../src/platform/words.ts";
import { buildValidationReport } from "../../../src/validation/report/index.ts";
import type { RunFigure } from "../../../src/validation/run.ts";
import { context, data, dayMs, node, run, untilMs } from "./support.ts";

const figure = (value: number): Record<string, RunFigure> => ({
  gemm: { samples: [value - 1, value, value + 1], higherIsBetter: true, unit: "TFLOP/s" },
});

/** A small fleet with one of everything. */
function smallHistory() {
  const good = ["n1", "n2", "n3", "n4", "n5"].map((name, at) =>
    run({ node: name, daysAgo: 1 + at, figures: figure(600 + at) }),
  );
  const bound = [
    { metric: "gemm", rule: "band", value: 500, bound: 580, cohort: "6 nodes" },
  ] as const;
  return data({
    nodes: [
      ...["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"].map((name) => node(name)),
      node("n9", { rack: "rack-2", state: "busy", why: "pod ml/train-7 holds 8 of 8 GPUs" }),
      node("n10", { rack: "rack-2", state: "untestable", why: "it is not ready" }),
    ],
    runs: [
      ...good,
      run({
        node: "n6",
        daysAgo: 2,
        verdict: "suspect",
        figures: figure(501),
        findings: bound,
        reason: "gemm is 501 TFLOP/s, below the cohort's bound of 580.",
      }),
      run({
        node: "n6",
        daysAgo: 1,
        verdict: "fail",
        figures: figure(500),
        findings: bound,
        reason: "gemm is 500 TFLOP/s, below the cohort's bound of 580; confirmed.",
      }),
      run({
        node: "n7",
        verdict: "unknown",
        outcome: "error",
        error: "its job tsr-x on n7 ended with exit code 137",
        reason: "The run ended with an error.",
      }),
      run({
        node: "n8",
        verdict: "warn",
        findings: [{ ...bound[0], metric: "*", rule: "incident" }],
        reason: "dl-unit was slow on 5 nodes at once.",
      }),
    ],
  });
}

describe("the report of a small history", () => {
  it("reads as it did, word for word", async () => {
    const text = renderMarkdown(buildValidationReport([smallHistory()], context));
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "golden.md"));
  });

  it("says of nodes that are tested now or were not seen that they are, and never that they are free", () => {
    const nodes = [node("a"), node("b", { state: "under-test" }), node("c", { state: "unseen" })];
    const summary = renderMarkdown(buildValidationReport([data({ nodes })], context));
    expect(summary).toContain(
      "0 nodes overdue and busy, 0 overdue and not testable, 1 overdue and free, 1 overdue and being tested, 1 overdue and not seen: nobody can tell",
    );
    expect(summary).toContain("of those that can be tested now or were not seen");
    const free = renderMarkdown(buildValidationReport([data({ nodes: [node("a")] })], context));
    expect(free).not.toMatch(/overdue and being tested,|nobody can tell|were not seen/);
  });

  it("concludes by its worst node, and says nothing about nodes that were not tested", () => {
    const report = buildValidationReport([smallHistory()], context);
    expect(verdictOf(report)).toBe("fail");
    expect(countStatuses(itemsOf(report))).toEqual({
      pass: 5,
      warn: 1,
      suspect: 0,
      fail: 1,
      unknown: 1,
      skipped: 2,
    });
    expect(verdictOf(buildValidationReport([data({ nodes: [node("a")] })], context))).toBe(
      "unknown",
    );
    expect(verdictOf(buildValidationReport([data({ runs: [run({ node: "a" })] })], context))).toBe(
      "pass",
    );
  });

  it("has its plots, with the outlier by name and the bound it missed", () => {
    const { plots } = buildValidationReport([smallHistory()], context);
    expect(plots.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
      "status-map: lab: what is known about each node",
      "bars: lab: verdicts per day",
      "heat-map: lab: how old the oldest evidence about each node is",
      "histogram: lab: gemm of dl-unit, each node's newest run",
    ]);
    expect(plots[3]).toMatchObject({
      bounds: { low: 580 },
      marks: [{ value: 500, label: "n6" }],
    });
  });

  it("keeps clusters apart, each with its own provenance", () => {
    const simulated = { ...smallHistory(), cluster: "sim", provenance: "simulated" as const };
    const report = buildValidationReport([smallHistory(), simulated], context);
    for (const { title, items } of report.sections) {
      const own = title.startsWith("sim ") ? "simulated" : "measured";
      for (const { facts } of items) for (const fact of facts) expect(fact.provenance).toBe(own);
    }
    const figures = report.sections.filter(({ judged }) => judged === false);
    for (const { items } of figures) {
      for (const { label } of items) expect(["measured", "simulated"]).toContain(label);
    }
    for (const { provenance, title } of report.plots) {
      expect(provenance).toBe(title.startsWith("sim:") ? "simulated" : "measured");
    }
  });

  it("gives JUnit a test case for each node and nothing else", () => {
    const xml = renderJunit(buildValidationReport([smallHistory()], context));
    expect(xml).toContain('tests="10" failures="1" errors="1" skipped="2"');
    expect(xml).not.toContain("Coverage debt");
  });
});

describe("time to detect", () => {
  const fails = [
    run({ node: "a", daysAgo: 3, verdict: "suspect" }),
    run({ node: "a", daysAgo: 2, verdict: "fail" }),
  ];
  const lineOf = (more: object) => {
    const report = buildValidationReport([data({ runs: fails, ...more })], context);
    return report.sections[0]?.items.find(({ name }) => name === "Time to detect")?.reason;
  };

  it("is counted from the truth where that is known, and owns up to what was missed", () => {
    const truth = [
      { node: "a", kind: "slow-gpu", onsetMs: untilMs - 4 * dayMs, endMs: undefined },
      { node: "b", kind: "stalls", onsetMs: untilMs - 4 * dayMs, endMs: undefined },
      { node: "a", kind: "repaired before the window", onsetMs: 0, endMs: 1 },
    ];
    expect(lineOf({ truth })).toBe(
      "median 2.0 d, nine of ten within 2.0 d, counted from the true onset; 1 found, 1 not yet",
    );
  });

  it("is counted from the first bad run elsewhere", () => {
    expect(lineOf({})).toMatch(
      /^median 24\.0 h, .* counted from the first run that looked bad; 1 found$/,
    );
  });

  it("a pass in between starts it anew", () => {
    const runs = [...fails, run({ node: "a", daysAgo: 2.5 })];
    expect(lineOf({ runs })).toMatch(/^median 2 min/);
  });
});

const anyRuns = fc.array(
  fc.record({
    node: fc.string({ minLength: 1, maxLength: 12 }),
    check: fc.constantFrom("x", "y"),
    daysAgo: fc.double({ min: 0.01, max: 7, noNaN: true }),
    outcome: fc.constantFrom("completed", "error", "timeout", "cancelled", "open"),
    verdict: fc.constantFrom(...verdicts, undefined),
    reason: fc.string(),
    error: fc.string(),
    figures: fc.dictionary(
      fc.string({ maxLength: 8 }),
      fc.record({ samples: fc.array(fc.double(), { maxLength: 4 }), higherIsBetter: fc.boolean() }),
      { maxKeys: 2 },
    ),
  } as const),
  { maxLength: 30 },
);

describe("any history", () => {
  it("gives a report whose counts add up and whose every figure says what it is", () => {
    fc.assert(
      fc.property(anyRuns, fc.constantFrom("measured", "simulated"), (sketches, provenance) => {
        const all = data({ runs: sketches.map(run), checks: ["x", "y"], provenance });
        const report = buildValidationReport([all], context);
        const counts = Object.values(countStatuses(itemsOf(report)));
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(all.nodes.length);
        for (const { facts } of report.sections.flatMap(({ items }) => items)) {
          for (const fact of facts) expect(fact.provenance).toBe(provenance);
        }
        for (const plot of report.plots) expect(plot.provenance).toBe(provenance);
        expect(renderHtml(report)).not.toMatch(/NaN|undefined|<script/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what to do about a node that is unknown", () => {
  const hintFor = (sketch: Partial<Parameters<typeof run>[0]>) => {
    const runs = [run({ node: "n1", verdict: "unknown", ...sketch })];
    const report = buildValidationReport([data({ nodes: [node("n1")], runs })], context);
    return itemsOf(report).find(({ name }) => name === "n1")?.hint;
  };
  const finding = { metric: "*", value: null, bound: null, cohort: "h100" } as const;

  it.each([
    ["a run that did not complete: why", { outcome: "error" }, /look at why the run did not/],
    [
      "a run that nothing can be compared with: its kind",
      { findings: [{ ...finding, rule: "no-reference" }] },
      /^It was measured, .* test eight of its kind/,
    ],
    [
      "a run whose figures decide nothing: the reason",
      { findings: [{ ...finding, rule: "unit" }] },
      /^It was measured, .* the reason says/,
    ],
  ] as const)("follows from %s", (_, sketch, expected) => {
    expect(hintFor(sketch)).toMatch(expected);
  });

  it("is nothing for a node that passed", () => {
    expect(hintFor({ verdict: "pass" })).toBeUndefined();
  });
});
