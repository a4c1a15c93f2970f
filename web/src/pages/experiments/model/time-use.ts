import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";

const words: Readonly<Record<string, string>> = {
  productive: "steps that stayed",
  startup: "starting",
  save: "saving",
  recovery: "recovery",
  wasted: "steps that did not stay",
  paused: "waiting for a person",
  other: "after the last step",
};

export interface TimeUsePart {
  readonly use: string;
  readonly title: string;
  readonly seconds: number;
  readonly share: number;
}

/** Where the time went, as shares of all of it; what took none is left out. */
export function timeUseParts(timeUse: ExperimentDetailView["timeUse"]): readonly TimeUsePart[] {
  const used = timeUse.filter(({ seconds }) => seconds > 0);
  const total = used.reduce((sum, { seconds }) => sum + seconds, 0);
  return used.map(({ use, seconds }) => ({
    use,
    title: words[use] ?? use,
    seconds,
    share: seconds / total,
  }));
}
