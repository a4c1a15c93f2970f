import type { LinesPlot } from "../../platform/plots/index.ts";
import type { Fact, Report, ReportItem } from "../../platform/reporters/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import type { Measured } from "./measure.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { type MeasuredPoint, measuredTitle, remarks } from "./measured-result.ts";
import { bandwidthPlot, timePlot } from "./plots.ts";
import { formatUs } from "./show.ts";

/**
 * What was measured as a report, for `--measured --html`: each size with its figures, and the measured
 * curves, with the model's beside them where a topology was named. A wrong element fails its size.
 */
export function measuredReport(
  request: MeasuredRequest,
  result: {
    readonly measured: Measured;
    readonly points: readonly MeasuredPoint[];
    readonly startedAtMs: number;
    readonly durationMs: number;
  },
): Report {
  const { measured, points, startedAtMs, durationMs } = result;
  return {
    title: `tessera collective ${request.op} --measured`,
    subject: measuredTitle(request, measured),
    startedAtMs,
    durationMs,
    notes: remarks(request, measured, points),
    sections: [{ title: "Sizes", items: points.map(itemOf) }],
    plots: plotsOf(points),
  };
}

function itemOf({ measured, modelled }: MeasuredPoint): ReportItem {
  const { bytes, timeUs, timesUs, algbwGBps, busbwGBps, wrong, elements, firstWrong } = measured;
  const fact = (name: string, value: number, unit: string): Fact => ({
    name,
    value,
    unit,
    provenance: "measured",
  });
  const took = `${formatUs(timeUs)}; all ${elements} elements were right.`;
  const broken = `${wrong} of ${elements} elements were wrong${firstWrong === undefined ? "" : `: ${firstWrong}`}.`;
  return {
    name: formatBytes(bytes),
    status: wrong === 0 ? "pass" : "fail",
    reason: wrong === 0 ? took : broken,
    facts: [
      fact("Time", timeUs / 1e3, "ms"),
      fact("Fastest", Math.min(...timesUs) / 1e3, "ms"),
      fact("Slowest", Math.max(...timesUs) / 1e3, "ms"),
      fact("algbw", algbwGBps, "GB/s"),
      fact("busbw", busbwGBps, "GB/s"),
      ...(modelled === undefined
        ? []
        : ([
            { ...fact("Time", modelled.timeUs / 1e3, "ms"), provenance: "modelled" },
            { ...fact("busbw", modelled.busbwGBps, "GB/s"), provenance: "modelled" },
          ] satisfies readonly Fact[])),
    ],
  };
}

/** Two curves for each plot; none where there are not two sizes, as for a barrier. */
function plotsOf(points: readonly MeasuredPoint[]): readonly LinesPlot[] {
  const sizes = points.map(({ measured }) => measured.bytes);
  if (new Set(sizes.filter((bytes) => bytes > 0)).size < 2) return [];
  const provenance = points.some(({ modelled }) => modelled !== undefined) ? undefined : "measured";
  const modelled = (of: (estimate: NonNullable<MeasuredPoint["modelled"]>) => number) =>
    provenance === undefined
      ? [
          {
            name: "modelled",
            x: sizes,
            y: points.map((point) => (point.modelled === undefined ? null : of(point.modelled))),
          },
        ]
      : [];
  const ms = (of: (timesUs: readonly number[]) => number) =>
    points.map(({ measured }) => of(measured.timesUs) / 1e3);
  return [
    timePlot({
      provenance,
      series: [
        {
          name: "measured, fastest to slowest",
          x: sizes,
          y: points.map(({ measured }) => measured.timeUs / 1e3),
          low: ms((timesUs) => Math.min(...timesUs)),
          high: ms((timesUs) => Math.max(...timesUs)),
        },
        ...modelled(({ timeUs }) => timeUs / 1e3),
      ],
    }),
    bandwidthPlot({
      provenance,
      series: [
        { name: "measured busbw", x: sizes, y: points.map(({ measured }) => measured.busbwGBps) },
        ...modelled(({ busbwGBps }) => busbwGBps),
      ],
    }),
  ];
}
