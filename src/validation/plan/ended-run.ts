import type { Verdict } from "../../platform/words.ts";
import type { RunRecord, RunResult } from "../run.ts";
import type { EndedRun } from "./planner.ts";

/**
 * What a planner learns from a run: undefined while it is open. Only a pass or a warning speaks for a
 * node and only a fail against it; a suspicion is left to its retest, and what did not complete says
 * something about the check only.
 */
export function endedRunOf({ intent, result, verdict }: RunRecord): EndedRun | undefined {
  if (result === undefined) return undefined;
  const { node, check } = intent;
  return {
    node,
    check,
    endedAtMs: result.endedAtMs,
    outcome: outcomeOf(result, verdict?.verdict),
  };
}

function outcomeOf(result: RunResult, verdict: Verdict | undefined): EndedRun["outcome"] {
  if (verdict === "fail") return "found";
  if (result.outcome !== "completed") return wasLetRun(result) ? "broken" : "cancelled";
  return verdict === "pass" || verdict === "warn" ? "passed" : "no-result";
}

/** One that broke may have ended before anybody saw it run; one that timed out unseen never began. */
function wasLetRun({ outcome, startedAtMs }: RunResult): boolean {
  return outcome === "error" || (outcome === "timeout" && startedAtMs !== undefined);
}
