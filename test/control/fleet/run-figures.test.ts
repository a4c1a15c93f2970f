import { describe, expect, it } from "vitest";
import { findingsOf } from "../../../src/control/fleet/run-figures.ts";
import type { RunRecord } from "../../../src/validation/run.ts";

type Finding = NonNullable<RunRecord["verdict"]>["findings"][number];

function unitsOf(...findings: readonly Finding[]): readonly (string | null)[] {
  const figures = { "busbw.gpu0": { samples: [1], higherIsBetter: true, unit: "GB/s" } };
  const record = { result: { figures }, verdict: { findings } } as unknown as RunRecord;
  return findingsOf(record).map(({ unit }) => unit);
}

const finding: Finding = {
  metric: "busbw.gpu0",
  rule: "floor",
  value: 40,
  bound: 42,
  cohort: "12 nodes",
};

describe("the findings of a run", () => {
  it("have the unit of their figure, also for a family of figures", () => {
    expect(unitsOf(finding, { ...finding, metric: "busbw" })).toEqual(["GB/s", "GB/s"]);
  });

  it("have none for a tail, whose value is a score, nor for a figure nobody knows", () => {
    const tail: Finding = { ...finding, rule: "tail", value: 7.1, bound: 4 };
    expect(unitsOf(tail, { ...finding, metric: "*" })).toEqual([null, null]);
  });
});
