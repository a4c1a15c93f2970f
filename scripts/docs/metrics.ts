import { type MetricRow, metricTable } from "../../src/platform/metrics/index.ts";
import { code, table } from "./markdown.ts";

/** docs/metrics.md. */
export function metricsPage(): string {
  const rows = Object.entries<MetricRow>(metricTable).map(([name, { type, help, labels }]) => [
    code(name),
    type,
    labels.map(code).join(", "),
    help,
  ]);
  return `# Metrics

\`tessera up\` answers \`GET /metrics\` in the Prometheus text format. Times are in seconds and sizes in
bytes. The values of every label come from a closed set, so the number of series stays bounded.

${table(["metric", "type", "labels", "what it says"], rows)}`;
}
