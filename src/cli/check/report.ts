import { hostname } from "node:os";
import type { Fact, Report, ReportItem } from "../../platform/reporters/index.ts";
import type { Check, CheckProfile, Execution } from "../../validation/checks/index.ts";
import type { RunFigure } from "../../validation/run.ts";
import { shortFacts } from "./short-facts.ts";

/** What a check found here, as a report: hard facts first, then each figure. */
export function checkReport(
  { result }: Execution,
  {
    check,
    profile,
    wholeFacts = false,
  }: {
    readonly check: Check;
    readonly profile: CheckProfile;
    /** Every fact as JSON, for programs; else short, for people. @default false */
    readonly wholeFacts?: boolean;
  },
): Report {
  const { startedAtMs = result.endedAtMs, endedAtMs, cohort } = result;
  const notes = [
    "figures are measured on this machine and judged by nobody here: `tessera validate` compares them",
    ...(cohort === undefined ? [] : [`comparable with: ${cohort}`]),
    ...(wholeFacts
      ? Object.entries(result.facts).map(([name, value]) => `${name}: ${textOf(value)}`)
      : [...shortFacts(result.facts), "facts are short here; `--json` has all of them whole"]),
  ];
  const figures = Object.entries(result.figures).map(([name, figure]) => figureItem(name, figure));
  return {
    title: `Check ${check.name} (${profile})`,
    subject: hostname(),
    startedAtMs,
    durationMs: endedAtMs - startedAtMs,
    notes,
    sections: [
      { title: "Answers", items: answerItems(result.hardFacts) },
      { title: "Figures", items: figures },
    ],
    plots: [],
  };
}

function answerItems(hardFacts: readonly string[]): ReportItem[] {
  if (hardFacts.length === 0) {
    return [{ name: "hard facts", status: "pass", reason: "Nothing was wrong.", facts: [] }];
  }
  return hardFacts.map((reason) => ({ name: "hard fact", status: "fail", reason, facts: [] }));
}

function figureItem(name: string, { samples, higherIsBetter, unit = "" }: RunFigure): ReportItem {
  const sorted = samples.filter((sample) => Number.isFinite(sample)).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  const median = at(0.5);
  const tail = at(higherIsBetter ? 0.05 : 0.95);
  if (median === undefined || tail === undefined || sorted.length < samples.length) {
    const reason = `${samples.length - sorted.length} of ${samples.length} samples are no numbers.`;
    return { name, status: "unknown", reason, facts: [] };
  }
  const fact = (what: string, value: number, factUnit: string): Fact => {
    return { name: what, value, unit: factUnit, provenance: "measured" };
  };
  const shown = (value: number) => `${Number(value.toPrecision(4))} ${unit}`.trim();
  const better = higherIsBetter ? "higher is better" : "lower is better";
  return {
    name,
    status: "skipped",
    label: "measured",
    reason: `${shown(median)} in the middle, ${shown(tail)} at the worst 5 %, of ${samples.length} samples; ${better}.`,
    facts: [
      fact("median", median, unit),
      fact("worst 5 %", tail, unit),
      fact("samples", samples.length, ""),
    ],
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
