import { describe, expect, it } from "vitest";
import { boundsOf, type DrawnFigure, tailOf } from "../../../src/control/fleet/bounds.ts";
import type { RunVerdict } from "../../../src/validation/run.ts";

type Finding = RunVerdict["findings"][number];

const figure: DrawnFigure = {
  sku: "made-up",
  check: "nccl-loopback",
  figure: "busbw.gpu3",
  unit: "MB/s",
  higherIsBetter: true,
};
const cohort = "made-up nccl-loopback, 24 nodes";
const unknown = {
  baseline: undefined,
  siblings: { others: 0, median: null },
  findingUnit: undefined,
  slowFrom: undefined,
};

function verdictWith(...findings: readonly Partial<Finding>[]): RunVerdict {
  return {
    runId: "run",
    atMs: 0,
    verdict: "fail",
    reason: "",
    findings: findings.map((one) => ({
      metric: "busbw.gpu3",
      rule: "band",
      value: 40,
      bound: 44,
      cohort,
      ...one,
    })),
  };
}

describe("the bound of a finding", () => {
  it("is drawn in the unit of the figure, whatever its cohort measures in", () => {
    const verdict = verdictWith({}, { rule: "history", bound: 45 });
    const bounds = boundsOf(figure, { ...unknown, verdict, findingUnit: "GB/s" });
    expect(bounds).toEqual([
      { rule: "band", level: "fail", value: 44_000, side: "below", cohort },
      { rule: "history", level: "fail", value: 45_000, side: "below", cohort },
    ]);
    const same = boundsOf(
      { ...figure, unit: "GB/s" },
      { ...unknown, verdict, findingUnit: "GB/s" },
    );
    expect(same.map(({ value }) => value)).toEqual([44, 45]);
  });

  it("is not drawn where it cannot be converted, nor of another figure", () => {
    const verdict = verdictWith({});
    expect(boundsOf(figure, { ...unknown, verdict, findingUnit: "ms" })).toEqual([]);
    const other = verdictWith({ metric: "busbw.gpu4" });
    expect(boundsOf(figure, { ...unknown, verdict: other })).toEqual([]);
  });
});

describe("the score of a tail", () => {
  const verdict = verdictWith({ rule: "tail", value: 4.1, bound: 2.5 });

  it("is never drawn as a value of the figure, and is told as a score", () => {
    expect(boundsOf(figure, { ...unknown, verdict })).toEqual([]);
    expect(tailOf("busbw.gpu3", verdict)).toEqual({ score: 4.1, scoreMax: 2.5, cohort });
  });

  it("has beside it where slow samples begin, in the unit of the figure", () => {
    const slowFrom = { value: 43_500, nodes: 23 };
    expect(boundsOf(figure, { ...unknown, verdict, slowFrom })).toEqual([
      {
        rule: "tail",
        level: "usual",
        value: 43_500,
        side: "below",
        cohort:
          "the better 99 % of the samples of 23 other nodes, each held against the middle of its run",
      },
    ]);
  });

  it("is not told of a figure without one", () => {
    expect(tailOf("busbw.gpu3", verdictWith({}))).toBeNull();
    expect(tailOf("busbw.gpu4", verdict)).toBeNull();
    expect(tailOf("busbw.gpu3", undefined)).toBeNull();
  });
});
