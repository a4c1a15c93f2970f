export { eventText } from "./event-words.ts";
export { experimentReport } from "./experiment-report.ts";
export { experimentSummary } from "./experiment-summary.ts";
export { analysisOf, type ReportedRun } from "./judged-run.ts";
export { manyRunsPlots } from "./many-runs-plots.ts";
export { claimsText, targetsText, triggerText } from "./plan-words.ts";
export { ranksText } from "./rank-words.ts";
export { timeUsePlot } from "./time-use.ts";
export { timelinePlot } from "./timeline.ts";
