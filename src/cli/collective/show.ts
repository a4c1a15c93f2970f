import { formatBytes, formatDurationMs } from "../../platform/units/index.ts";
import type { ModelledPoint } from "./points.ts";
import type { CollectiveRequest } from "./request.ts";
import { textPlot } from "./text-plot.ts";

const head = ["SIZE", "TIME", "ALGBW", "BUSBW", "LINK", "ALGORITHM", "SOURCE"];

/** The result for people: what was modelled, a table, the curve of a sweep, and the digest. */
export function showResult(
  request: CollectiveRequest,
  points: readonly ModelledPoint[],
  digest: string | undefined,
): readonly string[] {
  const rows = [head, ...points.map(rowOf)];
  return [
    titleOf(request),
    "",
    ...aligned(rows),
    ...(request.isSweep ? ["", ...curveOf(points)] : []),
    "",
    ...remarks(points),
    ...(digest === undefined ? [] : [`Digest of the result: ${digest}`]),
  ];
}

/** What was modelled, in one line. */
export function titleOf(request: CollectiveRequest): string {
  const { op, devices, concurrentGroups, topology } = request;
  const groups = concurrentGroups === 1 ? "" : `, ${concurrentGroups} groups at once`;
  const perDomain = Math.min(request.devicesPerDomain ?? devices, topology.domainGpus);
  const domains = Math.ceil(devices / perDomain);
  const network = topology.network === undefined ? "" : ` over ${topology.network.name}`;
  const place = domains === 1 ? "" : `, in ${domains} domains${network}`;
  return `${op} over ${devices} devices${groups}${place}: ${topology.title} (${topology.name})`;
}

/** A time as people read it. */
export function formatUs(timeUs: number): string {
  return formatDurationMs(timeUs / 1e3);
}

function rowOf({ bytes, estimate }: ModelledPoint): readonly string[] {
  const { timeUs, algbwGBps, busbwGBps, linkPercent, algorithm, basis } = estimate;
  return [
    formatBytes(bytes),
    formatUs(timeUs),
    `${rate(algbwGBps)} GB/s`,
    `${rate(busbwGBps)} GB/s`,
    `${rate(linkPercent)} %`,
    algorithm,
    basis === "fitted" ? "modelled" : "modelled *",
  ];
}

function rate(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** Numbers to the right, words to the left. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < 5 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

function curveOf(points: readonly ModelledPoint[]): readonly string[] {
  const curve = points.map(({ bytes, estimate }) => ({ x: bytes, y: estimate.timeUs }));
  return textPlot(curve, { x: formatBytes, y: formatUs });
}

function remarks(points: readonly ModelledPoint[]): readonly string[] {
  const extrapolated = points.some(({ estimate }) => estimate.basis === "extrapolated");
  return [
    "All times are modelled, for f32; docs/time-model.md says how far off the model is.",
    ...(extrapolated ? ["* by the model's physics, outside of what was measured"] : []),
  ];
}
