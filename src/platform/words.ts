import { type ExitCode, exitCodes } from "./errors/exit-codes.ts";

/** How one execution of a check ended. Says nothing about the health of the node. */
export const runOutcomes = ["completed", "error", "timeout", "cancelled"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** What we conclude about health, from best to worst evidence. */
export const verdicts = ["pass", "warn", "suspect", "fail", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];

/** How an experiment ended. */
export const experimentOutcomes = ["pass", "fail", "inconclusive"] as const;
export type ExperimentOutcome = (typeof experimentOutcomes)[number];

/** Where a number comes from. Never mixed, always shown. */
export const provenances = ["measured", "modelled", "simulated"] as const;
export type Provenance = (typeof provenances)[number];

/** The status of one line of a report: a verdict, or a check that was left out on purpose. */
export const itemStatuses = [...verdicts, "skipped"] as const;
export type ItemStatus = (typeof itemStatuses)[number];

// Which verdict stands for many. A proven failure outweighs what could not be decided, and
// anything undecided outweighs every form of good.
const weightOfVerdict: Readonly<Record<Verdict, number>> = {
  pass: 0,
  warn: 1,
  suspect: 2,
  unknown: 3,
  fail: 4,
};

/** The verdict that stands for all of them: the heaviest. Of none at all, `unknown`. */
export function worstVerdict(all: Iterable<Verdict>): Verdict {
  let worst: Verdict | undefined;
  for (const verdict of all) {
    if (worst === undefined || weightOfVerdict[verdict] > weightOfVerdict[worst]) worst = verdict;
  }
  return worst ?? "unknown";
}

/** The verdict on a list of items. What was skipped proves nothing, so only skips are `unknown`. */
export function verdictOfItems(statuses: Iterable<ItemStatus>): Verdict {
  return worstVerdict([...statuses].filter((status) => status !== "skipped"));
}

/** True when this verdict lets work go on: it passed, perhaps with a remark. Unknown never does. */
export function isHealthy(verdict: Verdict): boolean {
  return verdict === "pass" || verdict === "warn";
}

/** The exit code a verdict gives a command: 1 failed, 3 undecided, 0 healthy. */
export function exitCodeOfVerdict(verdict: Verdict): ExitCode {
  if (verdict === "fail") return exitCodes.failed;
  return isHealthy(verdict) ? exitCodes.good : exitCodes.undecided;
}
