import { escapeMarkdown } from "../../platform/reporters/index.ts";
import type { ExperimentOutcome } from "../../platform/words.ts";
import { metricOf, metricTable } from "../judge/index.ts";
import { timeText } from "../judge/words.ts";
import type { ReportedRun } from "./judged-run.ts";

const signs: Readonly<Record<ExperimentOutcome, string>> = {
  pass: "✅",
  fail: "❌",
  inconclusive: "❔",
};
const headlines = 8;
const faultsMax = 10;

/** One run in a few lines of Markdown, for the summary of a build. */
export function experimentSummary(run: ReportedRun): string {
  const { plan, record, judgement } = run;
  const open = judgement.findings.filter(({ outcome }) => outcome !== "pass");
  const parts = [
    `### ${signs[judgement.outcome]} ${escapeMarkdown(plan.title)}: ${judgement.outcome}`,
    escapeMarkdown(judgement.reason),
    `World ${record.world}, seed ${escapeMarkdown(plan.seed)}, times ${record.provenance}.`,
    open
      .map(
        ({ property, outcome, reason }) =>
          `- **${property}** (${outcome}): ${escapeMarkdown(reason)}`,
      )
      .join("\n"),
    faultTable(run),
    metricRow(run),
    judgement.signature === null
      ? ""
      : `Signature: \`${judgement.signature.replaceAll("`", "'")}\``,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function faultTable({ record }: ReportedRun): string {
  if (record.injections.length === 0) return "";
  const time = (us: number | null) => (us === null ? "–" : timeText(us));
  const rows = record.injections
    .slice(0, faultsMax)
    .map(
      ({ fault, target, injectedUs, effectUs, revertedUs }) =>
        `| ${escapeMarkdown(fault)} | ${escapeMarkdown(target)} | ${time(injectedUs)} | ${time(effectUs)} | ${time(revertedUs)} |`,
    );
  const hidden = record.injections.length - faultsMax;
  const more = hidden > 0 ? [`| ${hidden} more | | | | |`] : [];
  return [
    "| fault | target | injected | effect | undone |",
    "| --- | --- | ---: | ---: | ---: |",
    ...rows,
    ...more,
  ].join("\n");
}

function metricRow({ judgement }: ReportedRun): string {
  const rows = metricTable.slice(0, headlines).map(({ name, title, unit }) => {
    const value = metricOf(judgement.metrics, name) ?? null;
    const text =
      value === null ? "–" : `${Number(value.toPrecision(3))}${unit === "" ? "" : ` ${unit}`}`;
    return { title, text };
  });
  return [
    `| ${rows.map(({ title }) => title).join(" | ")} |`,
    `| ${rows.map(() => "---:").join(" | ")} |`,
    `| ${rows.map(({ text }) => text).join(" | ")} |`,
  ].join("\n");
}
