export { createMetrics, type Metrics } from "./metrics.ts";
export { collectProcessMetrics } from "./process-metrics.ts";
export { type MetricName, type MetricRow, metricTable } from "./table.ts";
