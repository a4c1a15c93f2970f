import { isTesseraError } from "../../../platform/errors/index.ts";
import { redact } from "../../../platform/log/index.ts";
import type { ReportItem } from "../../../platform/reporters/index.ts";
import type { RunResult } from "../../run.ts";
import { namedFacts } from "./suspects.ts";

/** How a run ended and what it proved. */
export type Ending = Pick<RunResult, "outcome" | "error" | "hardFacts">;

/** What was proved wrong, each with what it names; that the run did not come to its end; or neither. */
export function answerItems(
  { outcome, error, hardFacts }: Ending,
  /** What to do about a run that did not complete. */
  hint?: string,
): readonly ReportItem[] {
  const proved = hardFacts.map((reason): ReportItem => {
    return { name: "hard fact", status: "fail", reason, facts: namedFacts(reason) };
  });
  if (outcome !== "completed") {
    const reason = `It did not complete: ${endOf(redact(error ?? outcome))}`;
    const item = {
      name: "completion",
      status: "unknown",
      label: outcome,
      reason,
      facts: [],
    } as const;
    return [...proved, { ...item, ...(hint === undefined ? {} : { hint }) }];
  }
  if (proved.length > 0) return proved;
  return [{ name: "hard facts", status: "pass", reason: "Nothing was wrong.", facts: [] }];
}

/** What to do about what ended a run, as its error says. */
export function hintOf(thrown: unknown): string | undefined {
  return isTesseraError(thrown) ? thrown.hint : undefined;
}

/** A text as the end of a sentence. */
export function endOf(text: string): string {
  return text.trim().replace(/[.;,]*$/, ".");
}
