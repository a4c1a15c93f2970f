import type { Report, ReportItem } from "../../platform/reporters/index.ts";
import type { ClassifiedLine } from "../../validation/classify/index.ts";

/** The result as a report: one section for each check, one item for each run. */
export function classifyReport(
  answers: readonly ClassifiedLine[],
  {
    file,
    startedAtMs,
    durationMs,
  }: { readonly file: string; readonly startedAtMs: number; readonly durationMs: number },
): Report {
  const sections = new Map<string, ReportItem[]>();
  for (const { node, check, timestamp, verdict, reason } of answers) {
    const title = check ?? "lines that are no runs";
    const item = { name: `${node ?? "-"} ${timestamp ?? "-"}`, status: verdict, reason, facts: [] };
    const items = sections.get(title);
    if (items === undefined) sections.set(title, [item]);
    else items.push(item);
  }
  return {
    title: "Classification",
    subject: file,
    startedAtMs,
    durationMs,
    notes: ["each run is compared with the other runs of the file"],
    sections: [...sections].map(([title, items]) => ({ title, items })),
    plots: [],
  };
}
