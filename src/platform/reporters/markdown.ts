import { escapeText, printableText } from "../plots/markup.ts";
import { formatDurationMs } from "../units/index.ts";
import {
  itemsOf,
  labelOf,
  type Report,
  type ReportItem,
  shownVerdict,
  summaryLine,
} from "./report.ts";
import { clipMiddle, factText, timestamp, withoutEscapes } from "./text.ts";

const logCharsMax = 16 * 1024;

/** The report as GitHub-flavoured Markdown. Plots are named but not drawn: Markdown has no pictures of its own. */
export function renderMarkdown(report: Report): string {
  const verdict = shownVerdict(report);
  const parts = [
    `# ${escapeMarkdown(report.title)}`,
    `${verdict === undefined ? "" : `**${verdict}** · `}${escapeMarkdown(report.subject)} · ${escapeMarkdown(summaryLine(itemsOf(report)))}`,
    `Started ${timestamp(report.startedAtMs)}, took ${formatDurationMs(report.durationMs)}.`,
    report.notes.map((note) => `- ${escapeMarkdown(note)}`).join("\n"),
    ...report.sections.flatMap((section) => [
      `## ${escapeMarkdown(section.title)}`,
      itemTable(section.items),
      ...section.items.flatMap(details),
    ]),
    report.plots.length === 0 ? "" : "## Plots",
    report.plots
      .map(
        ({ title, provenance }) =>
          `- ${escapeMarkdown(title)}${provenance === undefined ? "" : ` (${provenance})`}`,
      )
      .join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/**
 * Text that Markdown shows as it is, in a paragraph, a heading, a list or a table cell: no markup
 * and no HTML, on one line.
 */
export function escapeMarkdown(text: string): string {
  return printableText(withoutEscapes(text))
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]#|~$^]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

function itemTable(items: readonly ReportItem[]): string {
  if (items.length === 0) return "Nothing was looked at.";
  const rows = items.map((item) => {
    const time = item.durationMs === undefined ? "" : formatDurationMs(item.durationMs);
    const hint = item.hint === undefined ? "" : `<br>→ ${escapeMarkdown(item.hint)}`;
    return `| ${escapeMarkdown(labelOf(item))} | ${escapeMarkdown(item.name)} | ${escapeMarkdown(item.reason)}${hint} | ${time} |`;
  });
  return ["| Status | Item | Finding | Time |", "| --- | --- | --- | ---: |", ...rows].join("\n");
}

/** Facts and log of an item, folded away. */
function details(item: ReportItem): string[] {
  if (item.facts.length === 0 && item.log === undefined) return [];
  const facts = item.facts.map(
    (fact) =>
      `- ${escapeMarkdown(fact.name)}: ${escapeMarkdown(factText(fact))} (${fact.provenance})`,
  );
  const log = item.log === undefined ? [] : [fence(clipMiddle(item.log, logCharsMax))];
  const body = [facts.join("\n"), ...log].filter((part) => part !== "").join("\n\n");
  // Inside an HTML block Markdown's own escapes would show.
  const name = escapeText(withoutEscapes(item.name)).replace(/\s+/g, " ");
  return [`<details><summary>${name}</summary>\n\n${body}\n\n</details>`];
}

/** A code block whose fence is longer than any run of backticks inside. */
function fence(text: string): string {
  const clean = printableText(withoutEscapes(text)).trimEnd();
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}text\n${clean}\n${ticks}`;
}
