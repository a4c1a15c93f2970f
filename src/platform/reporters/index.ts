export { doctorItem, doctorReport } from "./doctor-report.ts";
export { renderHtml } from "./html.ts";
export { renderJson, reportFormat, reportShape } from "./json.ts";
export { renderJunit } from "./junit.ts";
export { escapeMarkdown, renderMarkdown } from "./markdown.ts";
export {
  countStatuses,
  type Fact,
  itemsOf,
  type Report,
  type ReportItem,
  type ReportSection,
  summaryLine,
  verdictOf,
} from "./report.ts";
export {
  type Beginning,
  createMultiplexer,
  type ItemEnd,
  type ItemProgress,
  type ItemStart,
  type Reporter,
} from "./reporter.ts";
export { createLinesReporter, type LinesOptions } from "./terminal/lines.ts";
export { createProgressReporter, type ProgressOptions } from "./terminal/progress.ts";
export type { TerminalStream } from "./terminal/stream.ts";
export { renderTable, type TableOptions } from "./terminal/table.ts";
export {
  createTerminalReporter,
  type TerminalReporterOptions,
} from "./terminal/terminal-reporter.ts";
export { createFileReporter, type ReportFormat, renderReport } from "./write-report.ts";
