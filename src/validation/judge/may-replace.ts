import { isHealthy } from "../../platform/words.ts";
import type { RunVerdict } from "../run.ts";

/** What a new look at a run happens in. */
export interface SecondLook {
  /** It has not been judged with its present result. */
  readonly isNew: boolean;
  /** Its node has a new run. */
  readonly hasNewRun: boolean;
  readonly endedAgoMs: number;
}

const dayMs = 86_400_000;

/**
 * Whether what we now think of a run replaces what we thought. Looking again and again at the same
 * healthy run until it looks bad would make false alarms, so it takes new evidence:
 *
 * - a suspicion is settled by whatever is known now;
 * - a healthy run is worse in hindsight only when its node has a new run, or within a day when what
 *   looked like an incident turns out to be none;
 * - a failure is taken back only for an incident, and never when it is a hard fact;
 * - a run that could not be compared is judged once it can be;
 * - nothing that was decided becomes undecided.
 */
export function mayReplace(
  stored: RunVerdict | undefined,
  next: RunVerdict,
  { isNew, hasNewRun, endedAgoMs }: SecondLook,
): boolean {
  if (stored === undefined) return true;
  if (stored.verdict === next.verdict) return isNew && stored.reason !== next.reason;
  if (isNew) return true;
  if (next.verdict === "unknown") return false;
  switch (stored.verdict) {
    case "suspect":
      return true;
    case "unknown":
      return hasRule(stored, "no-reference");
    case "fail":
      return hasRule(next, "incident") && !hasRule(stored, "hard-fact");
    case "pass":
    case "warn": {
      if (isHealthy(next.verdict)) return next.verdict === "warn" && hasNewRun;
      return hasNewRun || (hasRule(stored, "incident") && endedAgoMs <= dayMs);
    }
  }
}

function hasRule({ findings }: RunVerdict, rule: string): boolean {
  return findings.some((finding) => finding.rule === rule);
}
