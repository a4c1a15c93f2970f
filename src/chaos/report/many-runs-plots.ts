import type { BarsPlot, HistogramPlot, LinesPlot, Plot } from "../../platform/plots/index.ts";
import { experimentOutcomes } from "../../platform/words.ts";
import { type JudgedRun, metricOf, metricTable, type RunsSummary } from "../judge/index.ts";

const histograms = ["throughputStability", "ettr", "goodput"];
const valuesMin = 5;

/** What many runs look like together: how they ended, how long recoveries take, how metrics lie. */
export function manyRunsPlots(runs: readonly JudgedRun[], summary: RunsSummary): readonly Plot[] {
  return [
    outcomesPlot(summary),
    ...(summary.recovery.points.length < 2 ? [] : [recoveryPlot(summary)]),
    ...histograms.flatMap((name) => histogramOf(name, runs, summary)),
  ];
}

function outcomesPlot({ outcomes, runs }: RunsSummary): BarsPlot {
  const status = { pass: "pass", fail: "fail", inconclusive: "unknown" } as const;
  return {
    kind: "bars",
    title: `How ${runs} runs ended`,
    categories: ["all runs"],
    y: { label: "Runs", include: [4] },
    stacked: true,
    areaHeightPx: 120,
    series: experimentOutcomes
      .filter((outcome) => outcomes[outcome] > 0)
      .map((outcome) => ({ name: outcome, status: status[outcome], values: [outcomes[outcome]] })),
  };
}

/** The share of recoveries that take longer than a time, in steps; those that did not end are in it. */
function recoveryPlot({ recovery, provenance }: RunsSummary): LinesPlot {
  const x = [0];
  const y = [1];
  const low = [1];
  const high = [1];
  for (const point of recovery.points) {
    x.push(point.at, point.at);
    y.push(y.at(-1) ?? 1, point.survival);
    low.push(low.at(-1) ?? 1, Math.max(0, point.survival - 1.96 * point.error));
    high.push(high.at(-1) ?? 1, Math.min(1, point.survival + 1.96 * point.error));
  }
  const { n, censored } = recovery;
  return {
    kind: "lines",
    title: `Recovery time of ${n} recoveries, ${censored} of them without an end`,
    ...(provenance === null ? {} : { provenance }),
    x: { label: "Effect to first step", unit: "s", include: [0] },
    y: { label: "Share that takes longer (Kaplan–Meier, 95 %)", include: [0, 1] },
    series: [{ name: "recoveries", x, y, low, high }],
  };
}

function histogramOf(
  name: string,
  runs: readonly JudgedRun[],
  { provenance }: RunsSummary,
): readonly HistogramPlot[] {
  const values = runs.map(({ judgement }) => metricOf(judgement.metrics, name) ?? null);
  if (values.filter((value) => value !== null).length < valuesMin) return [];
  const title = metricTable.find((row) => row.name === name)?.title ?? name;
  return [
    {
      kind: "histogram",
      title: `${title} over the runs`,
      ...(provenance === null ? {} : { provenance }),
      x: { label: title },
      values,
    },
  ];
}
