import type { ReportItem } from "../../../platform/reporters/index.ts";
import { counted } from "../../classify/text.ts";
import { type Ending, endOf } from "./answers.ts";
import { partsIn } from "./suspects.ts";

const sentenceCharsMax = 400;
const namesMax = 8;

/** What a run came to, as far as one sentence needs it. */
export interface FoundParts {
  readonly answers: readonly ReportItem[];
  readonly figures: readonly ReportItem[];
  /** How figures miss their floors. */
  readonly missed: readonly string[];
}

/** One sentence: what a run found, the worst first. */
export function foundSentence(ending: Ending, { answers, figures, missed }: FoundParts): string {
  if (ending.hardFacts.length > 0) return provedSentence(ending);
  const broken = answers.find(({ status }) => status === "unknown");
  if (broken !== undefined) return clipped(broken.reason);
  const undecided = figures.filter(({ status }) => status === "unknown");
  const [first] = undecided;
  if (first !== undefined) {
    const what = undecided.length === 1 ? first.name : counted(undecided.length, "figure");
    return clipped(`Nothing was proved wrong, but ${what} cannot be read: ${first.reason}`);
  }
  const [worst] = missed;
  if (worst === undefined) return goodSentence(figures);
  const more = missed.length > 1 ? ` (and ${missed.length - 1} more miss their floors)` : "";
  return `Nothing was proved wrong, but ${endOf(`${clipped(worst)}${more}`)}`;
}

function goodSentence(figures: readonly ReportItem[]): string {
  if (figures.length === 0) return "Nothing was proved wrong, and nothing was measured.";
  const held = figures.filter(({ bound }) => bound !== undefined).length;
  const floors =
    held === 0
      ? "there is no floor to hold them against"
      : `${held} of them ${held === 1 ? "has a floor, and keeps it" : "have floors, and keep them"}`;
  return `Nothing was proved wrong; ${counted(figures.length, "figure")} measured, ${floors}.`;
}

function provedSentence({ hardFacts, outcome }: Ending): string {
  const [first = ""] = hardFacts;
  const more = hardFacts.length > 1 ? ` (and ${hardFacts.length - 1} more)` : "";
  const early = outcome === "completed" ? "" : ` Then it did not complete (${outcome}).`;
  return `${endOf(`${clipped(first)}${more}`)}${blamed(hardFacts)}${early}`;
}

/** Whom the hard facts name, where that is not one sentence that says it already. */
function blamed(hardFacts: readonly string[]): string {
  if (hardFacts.length < 2) return "";
  const named = hardFacts.map((sentence) => partsIn(sentence).map(({ name }) => name));
  const all = [...new Set(named.flat())];
  const [only, ...others] = all;
  if (only === undefined) return "";
  if (others.length === 0 && named.every((names) => names.length === 1)) {
    return ` All of it names ${only}.`;
  }
  const more = all.length > namesMax ? ` and ${all.length - namesMax} more` : "";
  return ` Named: ${all.slice(0, namesMax).join(", ")}${more}.`;
}

function clipped(text: string): string {
  return text.length <= sentenceCharsMax ? text : `${text.slice(0, sentenceCharsMax)}…`;
}
