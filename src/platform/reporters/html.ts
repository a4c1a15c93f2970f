import { createHash } from "node:crypto";
import { version } from "../../version.ts";
import { plotStyle, renderPlot } from "../plots/index.ts";
import { element, fragment, type Markup, trustedMarkup } from "../plots/markup.ts";
import { formatDurationMs } from "../units/index.ts";
import { figureTable } from "./html-figures.ts";
import { htmlStyle } from "./html-style.ts";
import {
  type Fact,
  itemsOf,
  labelOf,
  type Report,
  type ReportItem,
  type ReportSection,
  shownVerdict,
  summaryLine,
} from "./report.ts";
import { clipMiddle, factText, timestamp, withoutEscapes } from "./text.ts";

const logCharsMax = 128 * 1024;

/**
 * The report as one HTML file that asks for nothing else: style, plots and data are inside, and
 * its policy forbids scripts and every request. Follows light and dark, prints, reads aloud.
 */
export function renderHtml(report: Report): string {
  const page = element(
    "html",
    { lang: "en" },
    element(
      "head",
      {},
      element("meta", { charset: "utf-8" }),
      element("meta", { "http-equiv": "Content-Security-Policy", content: policy() }),
      element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      element("meta", { name: "color-scheme", content: "light dark" }),
      element("title", {}, `${clean(report.title)}: ${clean(report.subject)}`),
      element("style", {}, trustedMarkup(htmlStyle)),
    ),
    element("body", {}, element("main", {}, ...mainParts(report))),
  );
  return `<!doctype html>\n${page.markup}\n`;
}

/** Only the two style sheets of this page may apply, recognised by their content. */
function policy(): string {
  const hashes = [htmlStyle, plotStyle].map(
    (style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  );
  return `default-src 'none'; style-src ${hashes.join(" ")}; base-uri 'none'; form-action 'none'`;
}

function mainParts(report: Report): Markup[] {
  return [
    header(report),
    // First what can be seen at a glance, then what has to be read.
    ...report.plots.map((plot, index) => {
      const svg = renderPlot(plot, { id: `plot-${index + 1}` });
      return element("figure", { class: "card" }, trustedMarkup(svg));
    }),
    ...report.sections.map(section),
    element("footer", {}, `Written by Tessera ${version}.`),
  ];
}

function header(report: Report): Markup {
  const verdict = shownVerdict(report);
  const when = `Started ${timestamp(report.startedAtMs)}, took ${formatDurationMs(report.durationMs)}.`;
  const notes = report.notes.map((note) => element("li", {}, clean(note)));
  return element(
    "header",
    {},
    element("h1", {}, clean(report.title)),
    element("p", {}, clean(report.subject)),
    element(
      "div",
      { class: "card verdict" },
      verdict && element("strong", { class: verdict }, `Verdict: ${verdict}`),
      element("span", {}, summaryLine(itemsOf(report))),
      element("span", {}, when),
    ),
    notes.length === 0 ? undefined : element("ul", { class: "notes" }, ...notes),
  );
}

function section({ title, items, figures = false }: ReportSection): Markup {
  if (items.length === 0) {
    return fragment(element("h2", {}, clean(title)), element("p", {}, "Nothing was looked at."));
  }
  if (figures) return fragment(element("h2", {}, clean(title)), figureTable(items));
  const heads = ["Status", "Item", "Finding", "Time"].map((text) =>
    element("th", { scope: "col" }, text),
  );
  return fragment(
    element("h2", {}, clean(title)),
    element(
      "div",
      { class: "card" },
      element(
        "table",
        { class: "items" },
        element("thead", {}, element("tr", {}, ...heads)),
        element("tbody", {}, ...items.map(row)),
      ),
    ),
  );
}

function row(item: ReportItem): Markup {
  return element(
    "tr",
    {},
    element(
      "td",
      { class: "status" },
      element("span", { class: item.status }, clean(labelOf(item))),
    ),
    element("th", { scope: "row" }, clean(item.name)),
    element(
      "td",
      {},
      clean(item.reason),
      item.hint === undefined ? undefined : element("p", { class: "hint" }, clean(item.hint)),
      details(item),
      attachment(item),
    ),
    element(
      "td",
      { class: "time" },
      item.durationMs === undefined ? "" : formatDurationMs(item.durationMs),
    ),
  );
}

/** Facts and log, open where something needs attention. */
function details(item: ReportItem): Markup | undefined {
  if (item.facts.length === 0 && item.log === undefined) return undefined;
  const open = item.status === "pass" || item.status === "skipped" ? undefined : "";
  return element(
    "details",
    { open },
    element("summary", {}, item.facts.length === 0 ? "Log" : "Facts"),
    item.facts.length === 0
      ? undefined
      : element("table", {}, element("tbody", {}, ...item.facts.map(factRow))),
    item.log === undefined
      ? undefined
      : element("pre", { tabindex: "0" }, clipMiddle(clean(item.log), logCharsMax)),
  );
}

/** One press selects all of it: the page has no script that could copy it. */
function attachment(item: ReportItem): Markup | undefined {
  if (item.attachment === undefined) return undefined;
  return element(
    "details",
    {},
    element("summary", {}, clean(item.attachment.title)),
    element("pre", { class: "whole", tabindex: "0" }, clean(item.attachment.text)),
  );
}

function factRow(fact: Fact): Markup {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, clean(fact.name)),
    element("td", {}, clean(factText(fact))),
    element("td", { class: "provenance" }, fact.provenance),
  );
}

function clean(text: string): string {
  return withoutEscapes(text);
}
