import type { PolicyMetrics } from "../../validation/replay/index.ts";

/** One policy and what it achieved. */
export interface NamedMetrics {
  readonly name: string;
  readonly metrics: PolicyMetrics;
}

const columns: readonly (readonly [string, (metrics: PolicyMetrics) => string])[] = [
  ["mean time to detect", (metrics) => hours(metrics.meanTimeToDetectHours)],
  ["p90", (metrics) => hours(metrics.p90TimeToDetectHours)],
  ["undetected", (metrics) => String(metrics.undetected)],
  ["exposure", (metrics) => `${metrics.exposureNodeHours.toFixed(0)} node-h`],
  ["coverage", (metrics) => `${(100 * metrics.coverage).toFixed(0)} %`],
  ["tests", (metrics) => String(metrics.testsRun)],
  ["GPU-hours", (metrics) => metrics.gpuHours.toFixed(0)],
  ["false quarantines", (metrics) => String(metrics.falseQuarantines)],
];

/** A table of all policies, and how much sooner each finds defects than the first. */
export function showMetrics(results: readonly NamedMetrics[]): readonly string[] {
  const rows = [
    ["policy", ...columns.map(([title]) => title)],
    ...results.map(({ name, metrics }) => [name, ...columns.map(([, show]) => show(metrics))]),
  ];
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  return [...lines, ...comparisons(results)];
}

function comparisons([first, ...others]: readonly NamedMetrics[]): readonly string[] {
  if (first === undefined) return [];
  return others.flatMap(({ name, metrics }) => {
    const before = first.metrics.meanTimeToDetectHours;
    const after = metrics.meanTimeToDetectHours;
    if (before === null || after === null || after === 0 || first.metrics.gpuHours === 0) return [];
    const cost = metrics.gpuHours / first.metrics.gpuHours;
    return [
      `${name} finds defects ${(before / after).toFixed(1)} times as soon as ${first.name}, for ${cost.toFixed(2)} times its GPU-hours (simulated).`,
    ];
  });
}

function hours(value: number | null): string {
  return value === null ? "no defects" : `${value.toFixed(1)} h`;
}
