import type { ExperimentOutcome } from "../../../platform/words.ts";
import type { JudgementFinding, PropertyName } from "../judgement.ts";

/** A finding, and what makes two of them the same. */
export interface Finding extends JudgementFinding {
  /** The reason without what varies between two failures of one kind: names of faults, places, figures. */
  readonly core: string;
}

export function finding(
  property: PropertyName,
  outcome: ExperimentOutcome,
  reason: string,
  core: string = reason,
): Finding {
  return { property, outcome, reason, core };
}
