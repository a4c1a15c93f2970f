import type { RunRecord } from "../run.ts";
import type { EndedRun } from "./planner.ts";

/**
 * What a planner learns from a run: undefined while it is open. Only a pass or a warning speaks for a
 * node and only a fail against it; a suspicion is left to its retest.
 */
export function endedRunOf({ intent, result, verdict }: RunRecord): EndedRun | undefined {
  if (result === undefined) return undefined;
  const { node, check } = intent;
  return { node, check, endedAtMs: result.endedAtMs, outcome: outcomeOf(verdict?.verdict) };
}

function outcomeOf(verdict: string | undefined): EndedRun["outcome"] {
  if (verdict === "fail") return "found";
  return verdict === "pass" || verdict === "warn" ? "passed" : "no-result";
}
