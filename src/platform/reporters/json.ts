import {
  countStatuses,
  type Fact,
  itemsOf,
  type Report,
  type ReportItem,
  shownVerdict,
} from "./report.ts";
import { timestamp, withoutEscapes } from "./text.ts";

/** The name and version of the shape below. A change that breaks readers raises the number. */
export const reportFormat = "tessera-report/1";

/**
 * The report as JSON, in the shape `docs/reports.md` documents. Keys are always there: what an item
 * does not have is null or empty.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(reportShape(report), null, 2)}\n`;
}

/** What `renderJson` writes, as a value. */
export function reportShape(report: Report) {
  const items = itemsOf(report);
  return {
    format: reportFormat,
    title: report.title,
    subject: report.subject,
    startedAt: timestamp(report.startedAtMs),
    durationMs: report.durationMs,
    verdict: shownVerdict(report) ?? null,
    counts: countStatuses(items),
    notes: report.notes,
    sections: report.sections.map(({ title, items, judged }) => ({
      title,
      judged: judged ?? true,
      items: items.map(itemShape),
    })),
    plots: report.plots,
  };
}

function itemShape(item: ReportItem): object {
  return {
    name: item.name,
    status: item.status,
    label: item.label ?? item.status,
    reason: item.reason,
    hint: item.hint ?? null,
    durationMs: item.durationMs ?? null,
    facts: item.facts.map(factShape),
    log: item.log === undefined ? null : withoutEscapes(item.log),
  };
}

function factShape({ name, value, unit, provenance }: Fact): object {
  return { name, value, unit, provenance };
}
