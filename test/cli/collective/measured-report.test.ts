import { describe, expect, test } from "vitest";
import type { Measured } from "../../../src/cli/collective/measure.ts";
import { measuredReport } from "../../../src/cli/collective/measured-report.ts";
import type { MeasuredRequest } from "../../../src/cli/collective/measured-request.ts";
import { besideModel } from "../../../src/cli/collective/measured-result.ts";
import { renderHtml, verdictOf } from "../../../src/platform/reporters/index.ts";
import { topologyOf } from "../../../src/runtime/dist/topology/index.ts";

const request: MeasuredRequest = {
  op: "all-reduce",
  ranks: 2,
  transport: "tcp",
  sizes: [],
  dtype: "f32",
  iterations: 3,
  topology: undefined,
  lose: undefined,
};

function reportOf(sizes: readonly number[], change: Partial<MeasuredRequest> = {}, wrong = 0) {
  const asked = { ...request, ...change };
  const measured: Measured = {
    ranks: 2,
    transport: "tcp",
    facts: {},
    sizes: sizes.map((bytes) => ({
      op: "all-reduce",
      bytes,
      dtype: "f32",
      ranks: 2,
      timesUs: [9, 10, 30],
      timeUs: 10,
      algbwGBps: bytes / 1e4,
      busbwGBps: bytes / 1e4,
      wrong,
      elements: bytes / 4,
      ...(wrong > 0 ? { firstWrong: "rank 1: element 3 is 4 instead of 5" } : {}),
    })),
  };
  const points = besideModel(asked, measured);
  return measuredReport(asked, { measured, points, startedAtMs: 0, durationMs: 1 });
}

describe("the page of a measurement", () => {
  test("every figure and every curve says whether it was measured or modelled", () => {
    const report = reportOf([1024, 4096], { topology: topologyOf("hgx-h100") });
    const lines = report.plots.flatMap((plot) => (plot.kind === "lines" ? [plot] : []));
    expect(lines.map(({ series }) => series.map(({ name }) => name))).toEqual([
      ["measured, fastest to slowest", "modelled"],
      ["measured busbw", "modelled"],
    ]);
    expect(lines[0]?.series[0]).toMatchObject({ low: [0.009, 0.009], high: [0.03, 0.03] });
    expect(lines[0]?.provenance).toBeUndefined();
    const origins = report.sections[0]?.items[0]?.facts.map(({ provenance }) => provenance);
    expect(new Set(origins)).toEqual(new Set(["measured", "modelled"]));
    expect(renderHtml(report)).toContain("between 2 processes of this host over TCP");
  });

  test("without a topology everything is measured", () => {
    const report = reportOf([1024, 4096]);
    const lines = report.plots.flatMap((plot) => (plot.kind === "lines" ? [plot] : []));
    expect(lines.map(({ provenance, series }) => [provenance, series.length])).toEqual([
      ["measured", 1],
      ["measured", 1],
    ]);
    expect(report.notes.join(" ")).not.toContain("MODELLED");
  });

  test("right answers pass; a wrong element fails and is named", () => {
    expect(verdictOf(reportOf([1024]))).toBe("pass");
    const broken = reportOf([1024], {}, 2);
    expect(verdictOf(broken)).toBe("fail");
    expect(broken.sections[0]?.items[0]?.reason).toBe(
      "2 of 256 elements were wrong: rank 1: element 3 is 4 instead of 5.",
    );
  });

  test.each([[[1024]], [[0, 0]], [[1024, 1024]]])("%j make no curve", (sizes) => {
    expect(reportOf(sizes).plots).toEqual([]);
  });
});
