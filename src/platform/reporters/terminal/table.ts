import { formatDurationMs } from "../../units/index.ts";
import {
  itemsOf,
  labelOf,
  type Report,
  type ReportItem,
  type ReportSection,
  summaryLine,
  verdictOf,
} from "../report.ts";
import { factText } from "../text.ts";
import { columnsOf, oneLine, pad, truncate, wrap } from "./columns.ts";
import { createStyle, type Style } from "./style.ts";

export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
  /** Also the facts behind every item. @default false */
  readonly facts?: boolean;
  /** Of the items of a section that are good or skipped, so many at most. @default all */
  readonly goodItemsMax?: number;
}

const gap = 2;
// Under this many columns for the reason a table is harder to read than a list.
const reasonMin = 28;
const logLinesMax = 20;

/** The finished report for a terminal: one block for each section, hints under their item. */
export function renderTable(report: Report, options: TableOptions): string {
  const style = createStyle(options.color);
  const layout = layoutFor(
    report.sections.flatMap(({ items }) => items),
    options,
  );
  const width = Math.max(options.width, 1);
  const lines = [
    style.bold(truncate(oneLine(`${report.title}: ${report.subject}`), width)),
    ...report.notes.flatMap((note) => wrap(oneLine(note), width).map(style.dim)),
    ...report.sections.flatMap((section) => [
      "",
      style.bold(truncate(oneLine(section.title), width)),
      ...sectionLines(section, { ...layout, style }),
    ]),
    "",
    ...wrap(endLine(report), width).map((line) => style.status(verdictOf(report), line)),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** How it ended, in one sentence: "3 missing, 9 works; took 1.2 s". */
export function endLine(report: Report): string {
  const took = formatDurationMs(report.durationMs);
  return `${oneLine(summaryLine(itemsOf(report)))}; took ${took}`;
}

interface Layout extends TableOptions {
  readonly labelWidth: number;
  readonly nameWidth: number;
  readonly stacked: boolean;
}

function layoutFor(items: readonly ReportItem[], options: TableOptions): Layout {
  const widest = (texts: string[]) => Math.max(0, ...texts.map(columnsOf));
  const labelWidth = Math.min(widest(items.map((item) => oneLine(labelOf(item)))), 16);
  const nameWidth = Math.min(
    widest(items.map((item) => oneLine(item.name))),
    Math.floor(options.width * 0.35),
  );
  const reasonWidth = options.width - labelWidth - nameWidth - 3 * gap;
  return { ...options, labelWidth, nameWidth, stacked: reasonWidth < reasonMin };
}

type Drawing = Layout & { readonly style: Style };

/** The items of a section; good ones only as far as anybody would read them. */
function sectionLines({ items, judged }: ReportSection, drawing: Drawing): string[] {
  const { goodItemsMax = Number.POSITIVE_INFINITY, style } = drawing;
  const isGood = ({ status }: ReportItem) =>
    judged !== false && (status === "pass" || status === "skipped");
  let good = 0;
  const shown = items.filter((item) => !isGood(item) || ++good <= goodItemsMax);
  const left = items.length - shown.length;
  return [
    ...withoutRepeatedHints(shown).flatMap((item) => itemLines(item, drawing)),
    ...(left === 0 ? [] : [style.dim(`  … and ${left} more`)]),
  ];
}

function itemLines(item: ReportItem, drawing: Drawing): string[] {
  const { style, stacked, labelWidth, nameWidth, width } = drawing;
  const indent = stacked ? 2 * gap : 3 * gap + labelWidth + nameWidth;
  const room = width - indent;
  const label = style.status(item.status, pad(oneLine(labelOf(item)), labelWidth));
  const lead = `${" ".repeat(gap)}${label}${" ".repeat(gap)}`;
  const reason = wrap(oneLine(item.reason), room);
  const hint = item.hint === undefined ? [] : wrap(`-> ${oneLine(item.hint)}`, room);
  const more = [...hint, ...factLines(item, drawing, room), ...logLines(item, room)];
  if (stacked) {
    const name = truncate(oneLine(item.name), width - labelWidth - 2 * gap);
    return [`${lead}${name}`, ...indented([...reason, ...more], indent)];
  }
  const [first = "", ...rest] = reason;
  const name = pad(oneLine(item.name), nameWidth);
  return [`${lead}${name}${" ".repeat(gap)}${first}`, ...indented([...rest, ...more], indent)];
}

/** Several items in a row often share one remedy, which reads better once. */
function withoutRepeatedHints(items: readonly ReportItem[]): ReportItem[] {
  return items.map((item, index) => {
    const repeats = item.hint !== undefined && item.hint === items[index - 1]?.hint;
    return repeats ? { ...item, hint: "as above" } : item;
  });
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((line) => `${" ".repeat(by)}${line}`);
}

function factLines(item: ReportItem, { facts, style }: Drawing, room: number): string[] {
  if (facts !== true) return [];
  return item.facts.flatMap((fact) => {
    const text = `${fact.name} = ${factText(fact)} (${fact.provenance})`;
    return wrap(oneLine(text), room).map(style.dim);
  });
}

/** The end of the log of what went wrong. */
function logLines(item: ReportItem, room: number): string[] {
  if (item.log === undefined || item.status === "pass" || item.status === "skipped") return [];
  const lines = item.log.trimEnd().split("\n");
  const left = lines.length - logLinesMax;
  const shown = lines.slice(-logLinesMax).map((line) => truncate(`| ${oneLine(line)}`, room));
  return left > 0 ? [`| (${left} lines before)`, ...shown] : shown;
}
