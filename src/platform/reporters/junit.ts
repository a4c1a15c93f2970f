import { element, type Markup } from "../plots/markup.ts";
import { itemsOf, labelOf, type Report, type ReportItem, type ReportSection } from "./report.ts";
import { clipMiddle, factText, timestamp, withoutEscapes } from "./text.ts";

const logCharsMax = 256 * 1024;

/**
 * The report as JUnit XML. JUnit knows four outcomes, we know six statuses:
 * `pass` and `warn` pass (the warning stands in system-out), `fail` is a failure, `suspect` and
 * `unknown` are errors because nothing was decided, `skipped` is skipped with its reason.
 */
export function renderJunit(report: Report): string {
  const root = element(
    "testsuites",
    { name: report.title, ...totals(itemsOf(report)), time: seconds(report.durationMs) },
    // Test cases are judged; plain figures are in the other formats.
    ...report.sections
      .filter(({ judged }) => judged !== false)
      .map((section) => suite(section, report)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}\n`;
}

function suite(section: ReportSection, report: Report): Markup {
  const durationMs = section.items.reduce((sum, item) => sum + (item.durationMs ?? 0), 0);
  const properties = [
    { name: "subject", value: report.subject },
    ...report.notes.map((value) => ({ name: "note", value })),
  ];
  return element(
    "testsuite",
    {
      name: section.title,
      ...totals(section.items),
      time: seconds(durationMs),
      // JUnit's own format has no time zone; the value is UTC.
      timestamp: timestamp(report.startedAtMs).replace("Z", ""),
    },
    element("properties", {}, ...properties.map((property) => element("property", property))),
    ...section.items.map((item) => testcase(item, `${report.title}.${section.title}`)),
  );
}

function testcase(item: ReportItem, classname: string): Markup {
  return element(
    "testcase",
    { name: item.name, classname, time: seconds(item.durationMs ?? 0) },
    outcome(item),
    element("system-out", {}, output(item)),
  );
}

function outcome(item: ReportItem): Markup | undefined {
  const attributes = { message: withoutEscapes(item.reason) };
  const body = withoutEscapes(item.hint ?? "");
  switch (item.status) {
    case "pass":
    case "warn":
      return undefined;
    case "fail":
      return element("failure", { ...attributes, type: labelOf(item) }, body);
    case "suspect":
    case "unknown":
      return element("error", { ...attributes, type: labelOf(item) }, body);
    case "skipped":
      return element("skipped", attributes);
  }
}

/** Everything about the item that JUnit has no place for. */
function output(item: ReportItem): string {
  const lines = [
    `${labelOf(item)}: ${item.reason}`,
    ...(item.hint === undefined ? [] : [`hint: ${item.hint}`]),
    ...item.facts.map((fact) => `${fact.name} = ${factText(fact)} (${fact.provenance})`),
    ...(item.log === undefined ? [] : [clipMiddle(item.log, logCharsMax)]),
  ];
  return withoutEscapes(lines.join("\n"));
}

function totals(items: readonly ReportItem[]): Record<string, number> {
  const count = (...statuses: ReportItem["status"][]) =>
    items.filter(({ status }) => statuses.includes(status)).length;
  return {
    tests: items.length,
    failures: count("fail"),
    errors: count("suspect", "unknown"),
    skipped: count("skipped"),
  };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
