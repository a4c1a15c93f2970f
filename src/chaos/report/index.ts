export { experimentReport } from "./experiment-report.ts";
export { experimentSummary } from "./experiment-summary.ts";
export type { ReportedRun } from "./judged-run.ts";
export { manyRunsPlots } from "./many-runs-plots.ts";
export { timeUsePlot } from "./time-use.ts";
export { timelinePlot } from "./timeline.ts";
