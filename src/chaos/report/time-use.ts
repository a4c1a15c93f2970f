import type { BarsPlot } from "../../platform/plots/index.ts";
import { type RunAnalysis, type TimeUse, timeUses } from "../judge/index.ts";
import { analysisOf, type ReportedRun } from "./judged-run.ts";

const words: Readonly<Record<TimeUse, string>> = {
  productive: "steps that stayed",
  startup: "starting",
  save: "saving",
  recovery: "recovery",
  wasted: "steps that did not stay",
  paused: "waiting for a person",
  other: "after the last step",
};

/** Where the time of a run went, beside the run without faults. */
export function timeUsePlot(run: ReportedRun, analysis: RunAnalysis = analysisOf(run)): BarsPlot {
  const { split, baselineSplit } = analysis;
  const splits = baselineSplit === null ? [split] : [split, baselineSplit];
  const used = timeUses.filter((use) => splits.some(({ totalsUs }) => totalsUs[use] > 0));
  return {
    kind: "bars",
    title: "Where the time went",
    provenance: run.record.provenance,
    widthPx: 960,
    areaHeightPx: 160,
    categories: ["this run", ...(baselineSplit === null ? [] : ["no faults"])],
    y: { label: "Time by what it was spent on", unit: "s" },
    stacked: true,
    series: used.map((use) => ({
      name: words[use],
      values: splits.map(({ totalsUs }) => totalsUs[use] / 1e6),
    })),
  };
}
