import type { Plot } from "../../platform/plots/index.ts";
import type { Fact, Report, ReportItem } from "../../platform/reporters/index.ts";
import {
  type Cost,
  type PatternScores,
  productDetectors,
  type SdcBenchResult,
  shareOf,
  siteDetectors,
  standardErrorOf,
} from "../../runtime/verify/bench/index.ts";
import {
  detectorHeads,
  detectorNotes,
  distributionTitles,
  rateText,
  secondsText,
  shareText,
} from "./words.ts";

/** The result as a report, for `--html`: figures that nobody judges, and plots of them. */
export function sdcBenchReport(
  result: SdcBenchResult,
  { startedAtMs, durationMs }: { readonly startedAtMs: number; readonly durationMs: number },
): Report {
  return {
    title: "tessera sdc bench",
    subject: `products of ${result.side} x ${result.side}, seed ${result.seed}`,
    startedAtMs,
    durationMs,
    notes: [
      "Detection, false alarms and costs are measured on this machine's processors; times to detection are modelled.",
      `Before it has learnt a threshold, a check of products answers: ${result.uncalibrated}.`,
      ...detectorNotes.map(([head, note]) => `${head}: ${note}`),
    ],
    sections: [
      { title: "Patterns", items: result.patterns.map(patternItem) },
      { title: "Places", items: result.sites.map(siteItem) },
      { title: "False alarms", items: result.noise.map(noiseItem) },
      { title: "Cost", items: result.costs.map(costItem) },
      { title: "Time to detection", items: campaignItems(result) },
    ],
    judges: false,
    plots: sdcBenchPlots(result),
  };
}

const measured = { status: "pass", label: "measured" } as const;

function patternItem({ pattern, title, silent, scores }: PatternScores): ReportItem {
  const shown = productDetectors.map((name) => `${detectorHeads[name]} ${shareText(scores[name])}`);
  const facts = productDetectors.flatMap((name): Fact[] => {
    const share = shareOf(scores[name]);
    return Number.isNaN(share)
      ? []
      : [{ name: detectorHeads[name], value: 100 * share, unit: "%", provenance: "measured" }];
  });
  const quiet = silent === 0 ? "" : ` ${silent} events changed nothing.`;
  return { name: pattern, ...measured, reason: `${title}: ${shown.join(", ")}.${quiet}`, facts };
}

function siteItem({ title, scores }: SdcBenchResult["sites"][number]): ReportItem {
  const shown = siteDetectors.map((name) => `${detectorHeads[name]} ${shareText(scores[name])}`);
  return { name: title, ...measured, reason: `${shown.join(", ")}.`, facts: [] };
}

function noiseItem({
  distribution,
  falseAlarms,
  watchAlarms,
}: SdcBenchResult["noise"][number]): ReportItem {
  const all = Object.entries(falseAlarms).map(
    ([name, { found, trials }]) =>
      `${detectorHeads[name as keyof typeof falseAlarms]} ${found} of ${trials}`,
  );
  const watch = `WATCH ${watchAlarms.found} of ${watchAlarms.trials} products`;
  return {
    name: distributionTitles[distribution],
    ...measured,
    reason: `${[...all, watch].join(", ")}.`,
    facts: [],
  };
}

function costItem({ detector, percent, of }: Cost): ReportItem {
  return {
    name: detector,
    ...measured,
    reason: `${percent.toFixed(1)} % of ${of}.`,
    facts: [{ name: "extra time", value: percent, unit: "%", provenance: "measured" }],
  };
}

function campaignItems({ campaign }: SdcBenchResult): readonly ReportItem[] {
  return campaign.detectors.map(({ detector, share, meanSeconds }) => {
    const times = meanSeconds.map(
      (seconds, at) => `${secondsText(seconds)} at ${rateText(campaign.rates[at] ?? 0)}`,
    );
    return {
      name: detectorHeads[detector],
      status: "pass",
      label: "modelled",
      reason: `finds ${(100 * share).toFixed(0)} % of events in an assumed mix of patterns; ${times.join(", ")}.`,
      facts: [],
    };
  });
}

/** Detection by pattern as a map, by bit as lines, costs as bars, times as lines. */
export function sdcBenchPlots({
  patterns,
  bits,
  costs,
  campaign,
}: SdcBenchResult): readonly Plot[] {
  const share = (score: Parameters<typeof shareOf>[0]) => {
    const value = shareOf(score);
    return Number.isNaN(value) ? null : 100 * value;
  };
  const byBit = (format: "f32" | "bf16"): Plot => ({
    kind: "lines",
    title: format === "f32" ? "Found by bit, f32 sums" : "Found by bit, bf16 product",
    provenance: "measured",
    x: { label: "Bit that flips" },
    y: { label: "Found", unit: "%", include: [0, 100] },
    series: bits
      .filter((one) => one.format === format)
      .map(({ distribution, scores }) => ({
        name: distributionTitles[distribution],
        x: scores.map(({ bit }) => bit),
        y: scores.map(share),
        low: scores.map((one) => 100 * Math.max(0, shareOf(one) - 2 * standardErrorOf(one))),
        high: scores.map((one) => 100 * Math.min(1, shareOf(one) + 2 * standardErrorOf(one))),
      })),
  });
  return [
    {
      kind: "heat-map",
      title: "Found by pattern",
      provenance: "measured",
      rowLabel: "pattern",
      columnLabel: "detector",
      rows: patterns.map(({ pattern }) => pattern),
      columns: productDetectors.map((name) => detectorHeads[name]),
      values: patterns.map(({ scores }) => productDetectors.map((name) => share(scores[name]))),
      valueLabel: "Found",
      unit: "%",
      areaHeightPx: 300,
    },
    byBit("f32"),
    byBit("bf16"),
    {
      kind: "bars",
      title: "Cost of each detector",
      provenance: "measured",
      categories: costs.map(({ detector }) => detector),
      y: { label: "Of the product", unit: "%" },
      series: [{ name: "extra time", values: costs.map(({ percent }) => percent) }],
    },
    {
      kind: "lines",
      title: "Mean time to detection",
      provenance: "modelled",
      x: { label: "Rate per product", scale: "log" },
      y: { label: "Time", unit: "s", scale: "log" },
      series: campaign.detectors.map(({ detector, meanSeconds }) => ({
        name: detectorHeads[detector],
        x: [...campaign.rates],
        y: meanSeconds.map((seconds) => (Number.isFinite(seconds) ? seconds : null)),
      })),
    },
  ];
}
