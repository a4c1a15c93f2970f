import { element, fragment, type Markup } from "../plots/markup.ts";
import { labelOf, type ReportItem } from "./report.ts";
import { factText, withoutEscapes } from "./text.ts";

/** A value that is not there, which is not zero. */
const missing = "–";

/**
 * Figures as one table: a row for each item, a column for each fact, so that what is compared stands
 * under each other; what somebody has to know about a figure stands below it.
 */
export function figureTable(items: readonly ReportItem[]): Markup {
  const names = [...new Set(items.flatMap(({ facts }) => facts.map(({ name }) => name)))];
  const shown: Shown = {
    names,
    bounds: items.some(({ bound }) => bound !== undefined),
    statuses: items.some(({ status }) => status !== "skipped"),
  };
  const head = (text: string, isNumber = false) =>
    element("th", { scope: "col", class: isNumber ? "number" : undefined }, text);
  const heads = [
    ...(shown.statuses ? [head("Status")] : []),
    head("Figure"),
    ...names.map((name) => head(withoutEscapes(name), true)),
    ...(shown.bounds ? [head("Bound")] : []),
    head("Origin"),
  ];
  return element(
    "div",
    // It may be wider than the page, and then the keyboard must reach it.
    { class: "card wide", role: "region", "aria-label": "Table of figures", tabindex: "0" },
    element(
      "table",
      { class: "figures" },
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...items.map((item) => rowsOf(item, shown, heads.length))),
    ),
  );
}

/** Which columns there are beside name and origin. */
interface Shown {
  readonly names: readonly string[];
  readonly bounds: boolean;
  readonly statuses: boolean;
}

function rowsOf(item: ReportItem, { names, bounds, statuses }: Shown, columns: number): Markup {
  const isJudged = item.status !== "skipped";
  const origins = [...new Set(item.facts.map(({ provenance }) => provenance))];
  const pill = element("span", { class: item.status }, withoutEscapes(labelOf(item)));
  const row = element(
    "tr",
    {},
    statuses ? element("td", { class: "status" }, isJudged ? pill : undefined) : undefined,
    element("th", { scope: "row" }, withoutEscapes(item.name)),
    ...names.map((name) => element("td", { class: "number" }, valueOf(item, name))),
    bounds ? element("td", {}, withoutEscapes(item.bound ?? missing)) : undefined,
    element("td", { class: "provenance" }, origins.join(", ") || missing),
  );
  if (!isJudged) return row;
  return fragment(
    row,
    element(
      "tr",
      { class: "why" },
      statuses ? element("td", {}) : undefined,
      element("td", { colspan: statuses ? columns - 1 : columns }, withoutEscapes(item.reason)),
    ),
  );
}

function valueOf({ facts }: ReportItem, name: string): string {
  const fact = facts.find((one) => one.name === name);
  return fact === undefined ? missing : withoutEscapes(factText(fact));
}
