export { analyzeRun, type RunAnalysis } from "./analysis.ts";
export { type GateFinding, judgeGate } from "./gates.ts";
export { judge } from "./judge.ts";
export {
  type Judgement,
  type JudgementFinding,
  type PropertyName,
  propertyNames,
  type Recovery,
  type RunMetrics,
} from "./judgement.ts";
export {
  type JudgedRun,
  judgeGateOverRuns,
  type MetricSummary,
  type RunsSummary,
  summarizeRuns,
} from "./many-runs.ts";
export { unusableFor } from "./metrics/fragmentation.ts";
export { type MetricRow, metricNames, metricTable } from "./metrics/metric-table.ts";
export { metricOf } from "./metrics/run-metrics.ts";
export { type Dip, dipsOf } from "./metrics/stability.ts";
export type { RateWindows, Throughput } from "./metrics/throughput.ts";
export { clopperPearson, type Interval, provenRate, type Survival } from "./stats/index.ts";
export { type TimeUse, timeUses } from "./time-split.ts";
