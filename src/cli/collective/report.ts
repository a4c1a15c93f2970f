import type { LinesPlot } from "../../platform/plots/index.ts";
import type { Report, ReportItem } from "../../platform/reporters/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { bandwidthPlot, timePlot } from "./plots.ts";
import type { ModelledPoint } from "./points.ts";
import type { CollectiveRequest } from "./request.ts";
import { formatUs, titleOf } from "./show.ts";

const itemsMax = 500;

/** The result as a report, for `--html`: the points, and two curves where there are several. */
export function collectiveReport(
  request: CollectiveRequest,
  result: {
    readonly points: readonly ModelledPoint[];
    readonly digest: string | undefined;
    readonly startedAtMs: number;
    readonly durationMs: number;
  },
): Report {
  const { points, digest, startedAtMs, durationMs } = result;
  const left = points.length - itemsMax;
  return {
    title: `tessera collective ${request.op}`,
    subject: titleOf(request),
    startedAtMs,
    durationMs,
    notes: [
      "All times are modelled.",
      ...(digest === undefined ? [] : [`Digest of the result: ${digest}`]),
      ...(left > 0 ? [`The first ${itemsMax} of ${points.length} sizes are listed.`] : []),
    ],
    sections: [{ title: "Sizes", items: points.slice(0, itemsMax).map(itemOf) }],
    judges: false,
    plots: plotsOf(points),
  };
}

function itemOf({ bytes, estimate }: ModelledPoint): ReportItem {
  const { timeUs, algorithm, bound, algbwGBps, busbwGBps, linkPercent, basis } = estimate;
  const fact = (name: string, value: number, unit: string) =>
    ({ name, value, unit, provenance: "modelled" }) as const;
  return {
    name: formatBytes(bytes),
    status: "pass",
    label: "modelled",
    reason: `${formatUs(timeUs)} by ${algorithm}, bound by ${bound}${basis === "fitted" ? "" : ", extrapolated"}.`,
    facts: [
      fact("Time", timeUs / 1e3, "ms"),
      fact("algbw", algbwGBps, "GB/s"),
      fact("busbw", busbwGBps, "GB/s"),
      fact("Of the link", linkPercent, "%"),
    ],
  };
}

function plotsOf(points: readonly ModelledPoint[]): readonly LinesPlot[] {
  if (points.length < 2) return [];
  const provenance = "modelled";
  return [
    timePlot({
      provenance,
      series: [
        series("time", points, ({ timeUs }) => timeUs / 1e3),
        series("no faster on the wire", points, ({ wireLimitUs }) => wireLimitUs / 1e3),
      ],
    }),
    bandwidthPlot({
      provenance,
      series: [
        series("busbw", points, ({ busbwGBps }) => busbwGBps),
        series("algbw", points, ({ algbwGBps }) => algbwGBps),
      ],
    }),
  ];
}

function series(
  name: string,
  points: readonly ModelledPoint[],
  of: (estimate: ModelledPoint["estimate"]) => number,
) {
  return {
    name,
    x: points.map(({ bytes }) => bytes),
    y: points.map(({ estimate }) => of(estimate)),
  };
}
