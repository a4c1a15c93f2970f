import { type Verdict, verdicts } from "../../platform/words.ts";
import type { ClassifiedLine } from "../../validation/classify/index.ts";

const rowsMax = 200;
const order: readonly Verdict[] = ["fail", "suspect", "unknown", "warn", "pass"];

/** The result for people: a row for every run that does not pass, worst first, and the counts. */
export function showLines(answers: readonly ClassifiedLine[], all: boolean): readonly string[] {
  const wanted = order.filter((verdict) => all || verdict !== "pass");
  const rows = wanted.flatMap((verdict) => answers.filter((answer) => answer.verdict === verdict));
  const shown = rows.slice(0, rowsMax);
  const left = rows.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : [...tableOf(shown), ""]),
    ...(left === 0 ? [] : [`… and ${left} more; --json prints every run.`]),
    summaryOf(answers),
  ];
}

function tableOf(answers: readonly ClassifiedLine[]): readonly string[] {
  const cells = answers.map(({ verdict, node, check, timestamp, reason }) => [
    verdict,
    plain(node ?? "-"),
    plain(check ?? "-"),
    plain(String(timestamp ?? "-")),
    plain(reason),
  ]);
  const table = [["VERDICT", "NODE", "CHECK", "TIME", "WHY"], ...cells];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) =>
    row.map((cell, at) => (at < 4 ? cell.padEnd(widths[at] ?? 0) : cell)).join("  "),
  );
}

function summaryOf(answers: readonly ClassifiedLine[]): string {
  if (answers.length === 0) return "The file has no runs, so nothing is known.";
  const counts = verdicts
    .map(
      (verdict) =>
        [verdict, answers.filter((answer) => answer.verdict === verdict).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  return `${answers.length === 1 ? "1 run" : `${answers.length} runs`}: ${counts.join(", ")}.`;
}

/** Text from the file without control characters, which could rewrite the terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, "?").slice(0, 300);
}
