import { type Verdict, worstVerdict } from "../../platform/words.ts";
import type { EndedInShort, NewestEnds } from "../../validation/history/newest-ends.ts";
import type { Standing } from "../api/common.ts";

/** What one check says about one node now. */
export interface CheckStanding {
  readonly standing: Standing;
  /** One sentence with value and bound. */
  readonly reason: string;
  /** The run that decides it. */
  readonly runId: string | undefined;
  readonly atMs: number | undefined;
  /** When it last completed. */
  readonly completedAtMs: number | undefined;
  readonly isIncident: boolean;
}

export const untested: CheckStanding = {
  standing: "untested",
  reason: "no run of it has ended",
  runId: undefined,
  atMs: undefined,
  completedAtMs: undefined,
  isIncident: false,
};

/**
 * What the newest ends say, by the rules of the judge: the newest run that completed tells, a failure
 * stays a failure, and after an error or a timeout health is unknown again. A cancelled run says
 * nothing. Until a new run is judged, what was known before stands, as old as it is: a run that nobody
 * has judged makes no pass fresh.
 */
export function standingOf(ends: NewestEnds, before: CheckStanding | undefined): CheckStanding {
  const { ended, completed } = ends;
  const completedAtMs = completed?.endedAtMs;
  const said = saying(ended) ? ended : completed;
  if (said === undefined) return { ...untested, reason: cancelledReason(ended) };
  const isUnjudged = said.verdict === undefined && said.outcome === "completed";
  if (isUnjudged && before !== undefined && before.standing !== "untested") {
    return before;
  }
  const own = verdictOf(said);
  const other = completed === undefined || completed === said ? undefined : verdictOf(completed);
  const verdict = other === undefined ? own : worstVerdict([own, other]);
  const deciding = verdict === own ? said : (completed ?? said);
  return {
    standing: verdict,
    reason: reasonOf(deciding),
    runId: deciding.runId,
    atMs: deciding.endedAtMs,
    completedAtMs,
    isIncident: deciding.isIncident,
  };
}

function saying({ outcome, verdict }: EndedInShort): boolean {
  return outcome !== "cancelled" || verdict === "fail";
}

/** What did not complete is never healthy, whatever was concluded. */
function verdictOf({ outcome, verdict }: EndedInShort): Verdict {
  if (verdict === undefined) return "unknown";
  return outcome === "completed" || verdict === "fail" ? verdict : "unknown";
}

function reasonOf({ outcome, verdict, reason, error }: EndedInShort): string {
  if (verdict !== undefined && reason !== undefined) return reason;
  if (outcome === "completed") return "completed and not judged yet";
  return `ended as ${outcome}${error === undefined ? "" : `: ${error}`}`;
}

function cancelledReason({ error }: EndedInShort): string {
  return `its only run was cancelled: ${error ?? "no reason was given"}`;
}
