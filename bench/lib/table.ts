import type { BenchMetric } from "../bench.ts";
import { type Comparison, keepsLimit } from "./judge.ts";

const marks = { better: "▲ better", worse: "▼ worse", same: "= same" } as const;

export interface Row {
  readonly metric: BenchMetric;
  readonly comparison: Comparison | undefined;
}

/** The metrics of one benchmark as aligned text, one line each under a heading. */
export function formatTable(rows: readonly Row[]): string {
  const cells = [
    ["metric", "value", "", "against the last", "limit"],
    ...rows.map(({ metric, comparison }) => [
      metric.name,
      `${formatNumber(metric.value)} ${metric.unit}`,
      metric.provenance,
      formatComparison(comparison),
      formatLimit(metric),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  return cells
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

/** Four significant digits, without an exponent for what people read at a glance. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toString();
  return Number(value.toPrecision(4)).toString();
}

function formatComparison(comparison: Comparison | undefined): string {
  if (comparison === undefined) return "nothing to compare with";
  const noise = `±${Math.round(comparison.noise * 100)} %`;
  return `${comparison.ratio.toFixed(2)}x ${marks[comparison.verdict]} (${noise})`;
}

function formatLimit(metric: BenchMetric): string {
  if (metric.limit === undefined) return "";
  const side = metric.better === "lower" ? "at most" : "at least";
  const verdict = keepsLimit(metric) ? "kept" : "BROKEN";
  return `${side} ${formatNumber(metric.limit)}: ${verdict}`;
}
