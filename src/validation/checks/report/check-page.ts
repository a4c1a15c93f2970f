import type { Report } from "../../../platform/reporters/index.ts";
import { skuOfMachine } from "../../clusters/local/sku.ts";
import type { Check, CheckProfile } from "../check.ts";
import type { Execution } from "../execute-check.ts";
import { answerItems, hintOf } from "./answers.ts";
import { figuresNote } from "./check-report.ts";
import {
  circumstanceItems,
  factItems,
  floorItems,
  type RunCircumstances,
  resultItem,
} from "./evidence.ts";
import { figureItem, missedFloor } from "./figures.ts";
import { foundSentence } from "./found.ts";
import { checkPlots } from "./plots/check-plots.ts";
import { shortFact } from "./short-facts.ts";
import { suspectItems } from "./suspects.ts";

export interface CheckPageAbout extends RunCircumstances {
  readonly check: Pick<Check, "name" | "title">;
  readonly profile: CheckProfile;
  readonly host: NonNullable<RunCircumstances["host"]>;
  /** The name of the machine. */
  readonly hostName: string;
}

/**
 * A run of a check as a page: the verdict and what was found, plots by the form of the result, what was
 * proved and whom it names, every figure with its bound, and the evidence. Pure. A run that did not
 * complete is a page, too, and its verdict is `unknown` unless something was proved before.
 */
export function checkPage({ result, thrown }: Execution, about: CheckPageAbout): Report {
  const { check, profile, hostName, host } = about;
  const { startedAtMs = result.endedAtMs, endedAtMs, hardFacts } = result;
  const subject = { check: check.name, sku: skuOfMachine(host.gpus) };
  const answers = answerItems(result, hintOf(thrown));
  const measured = Object.entries(result.figures);
  const figures = measured.map(([name, figure]) => figureItem(name, figure, subject));
  const missed = measured.flatMap(
    ([name, figure]) => missedFloor(name, figure, subject)?.text ?? [],
  );
  const suspects = suspectItems(hardFacts);
  const { plots, left } = checkPlots(result, subject);
  return {
    title: `Check ${check.name} (${profile})`,
    subject: `${hostName}: ${foundSentence(result, { answers, figures, missed })}`,
    startedAtMs,
    durationMs: endedAtMs - startedAtMs,
    notes: [
      ...(check.title === "" ? [] : [check.title]),
      ...(figures.length === 0 ? [] : [figuresNote]),
      ...notesOf(result),
      ...(left === 0 ? [] : [`${left} more plots are left out; the table has all figures`]),
    ],
    sections: [
      { title: "Answers", items: answers },
      ...(suspects.length === 0
        ? []
        : [{ title: "What the hard facts name", items: suspects, judged: false }]),
      ...(figures.length === 0 ? [] : [{ title: "Figures", items: figures, figures: true }]),
      {
        title: "Evidence",
        items: [
          ...circumstanceItems(about),
          ...floorItems(result.figures, subject),
          ...factItems(result.facts),
          resultItem(result, { check: check.name, profile }),
        ],
        judged: false,
      },
    ],
    plots,
  };
}

/** What a reader of the verdict must know beside it, by the names that facts have for it. */
function notesOf({ cohort, facts }: Execution["result"]): readonly string[] {
  const told = (name: string, fact: unknown) => {
    const { value } = shortFact(name, fact);
    return typeof value === "string" ? (value === "none" ? [] : [value]) : value;
  };
  const isRehearsal = ["rehearsal", "brokenOnPurpose"].filter((name) => facts[name] !== undefined);
  return [
    ...isRehearsal.map(
      (name) => `a rehearsal, broken on purpose: ${told(name, facts[name]).join(", ")}`,
    ),
    ...["notTested", "notCovered"].flatMap((name) =>
      told(name, facts[name] ?? {}).map((text) => `not tested: ${text}`),
    ),
    ...(cohort === undefined ? [] : [`comparable with: ${cohort}`]),
  ];
}
