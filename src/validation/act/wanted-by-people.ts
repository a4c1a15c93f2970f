import type { NodeEvent } from "../history/history.ts";
import type { CheckStates } from "../judge/index.ts";
import type { WantedRun } from "../plan/planner.ts";

const dayMs = 86_400_000;
/** Who still wants it after this long has to say so again. */
const wishDaysMax = 7;

/**
 * The runs that people asked for and that were not made: no run of the check that was planned after
 * the wish has ended. What was asked for first comes first.
 */
export function wantedByPeople(given: {
  readonly states: CheckStates;
  readonly events: readonly NodeEvent[];
  readonly requiredChecks: readonly string[];
  readonly nowMs: number;
}): readonly WantedRun[] {
  const { states, events, requiredChecks, nowMs } = given;
  const wishes = new Map<string, WantedRun>();
  for (const { node, atMs, kind, details } of events.toSorted((a, b) => a.atMs - b.atMs)) {
    if (kind !== "override" || details["action"] !== "test") continue;
    if (atMs < nowMs - wishDaysMax * dayMs) continue;
    const { check: only, reason, actor } = details;
    const checks = typeof only === "string" ? [only] : requiredChecks;
    for (const check of checks) {
      wishes.set(JSON.stringify([node, check]), {
        node,
        check,
        purpose: "manual",
        reason: `${textOr(actor, "somebody")} asked for it: ${textOr(reason, "no reason given")}`,
        notBeforeMs: atMs,
      });
    }
  }
  return [...wishes.values()]
    .filter(({ node, check, notBeforeMs }) => {
      const recent = states.get(node, check)?.recent ?? [];
      return !recent.some(({ plannedAtMs }) => plannedAtMs >= notBeforeMs);
    })
    .toSorted((a, b) => a.notBeforeMs - b.notBeforeMs);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
