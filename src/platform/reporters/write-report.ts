import { writeFileAtomic } from "../files/index.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";
import type { Reporter } from "./reporter.ts";

const renderers = {
  json: renderJson,
  junit: renderJunit,
  markdown: renderMarkdown,
  html: renderHtml,
} as const satisfies Record<string, (report: Report) => string>;

export type ReportFormat = keyof typeof renderers;

/** The report in a format, as the text of a file. */
export function renderReport(report: Report, format: ReportFormat): string {
  return renderers[format](report);
}

/** A reporter that writes the finished report to a file, whole or not at all. */
export function createFileReporter(options: {
  readonly path: string;
  readonly format: ReportFormat;
}): Reporter {
  return {
    onEnd: (report) => writeFileAtomic(options.path, renderReport(report, options.format)),
  };
}
