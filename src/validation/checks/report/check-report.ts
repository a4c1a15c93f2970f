import type { Report } from "../../../platform/reporters/index.ts";
import { skuOfMachine } from "../../clusters/local/sku.ts";
import type { Check, CheckHost, CheckProfile } from "../check.ts";
import type { Execution } from "../execute-check.ts";
import { answerItems, hintOf } from "./answers.ts";
import { figureItem } from "./figures.ts";
import { shortFacts } from "./short-facts.ts";

/** What a report on one run of a check is about. */
export interface CheckReportAbout {
  readonly check: Pick<Check, "name">;
  readonly profile: CheckProfile;
  /** The name of the machine. */
  readonly hostName: string;
  /** Its GPUs decide what floors hold. */
  readonly host: Pick<CheckHost, "gpus">;
  /** Every fact as JSON, for programs; else short, for people. @default false */
  readonly wholeFacts?: boolean;
}

export const figuresNote =
  "figures are measured on this machine and held against no other: `tessera validate` compares them";

/** What a check found here, as a report: hard facts first, then each figure. */
export function checkReport(
  { result, thrown }: Execution,
  { check, profile, hostName, host, wholeFacts = false }: CheckReportAbout,
): Report {
  const { startedAtMs = result.endedAtMs, endedAtMs, cohort } = result;
  const notes = [
    figuresNote,
    ...(cohort === undefined ? [] : [`comparable with: ${cohort}`]),
    ...(wholeFacts
      ? Object.entries(result.facts).map(([name, value]) => `${name}: ${textOf(value)}`)
      : [...shortFacts(result.facts), "facts are short here; `--json` has all of them whole"]),
  ];
  const subject = { check: check.name, sku: skuOfMachine(host.gpus) };
  const figures = Object.entries(result.figures).map(([name, figure]) =>
    figureItem(name, figure, subject),
  );
  return {
    title: `Check ${check.name} (${profile})`,
    subject: hostName,
    startedAtMs,
    durationMs: endedAtMs - startedAtMs,
    notes,
    sections: [
      { title: "Answers", items: answerItems(result, hintOf(thrown)) },
      { title: "Figures", items: figures, figures: true },
    ],
    plots: [],
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
