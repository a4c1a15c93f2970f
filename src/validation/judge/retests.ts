import { backOffMs } from "../back-off.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { GuardSettings } from "../settings.ts";
import { type CheckState, tellingRun } from "./check-states.ts";
import type { JudgedRun } from "./judged-run.ts";

const hourMs = 3_600_000;
const wantedMax = 10_000;

/**
 * The runs that are to confirm or clear a suspicion: of every node and check whose newest telling
 * run is `suspect`, or completed with figures that mean nothing. The first comes `retestAfterMs`
 * after the run, each further one after twice as long, at most a day; after an incident not within
 * the hour, which it may well last.
 *
 * @returns the runs due first come first.
 */
export function wantedRetests(
  states: Iterable<CheckState>,
  { retestAfterMs }: Pick<GuardSettings, "retestAfterMs">,
): readonly WantedRun[] {
  const wanted: WantedRun[] = [];
  for (const state of states) {
    const telling = tellingRun(state);
    const [newest] = state.recent;
    if (telling === undefined || newest === undefined || !isOpen(telling)) continue;
    const waitMs = backOffMs(openRunsInARow(state.recent), retestAfterMs);
    const isIncident = hasRule(telling, "incident");
    wanted.push({
      node: state.node,
      check: state.check,
      purpose: "retest",
      reason: `${telling.verdict} at ${isoTime(telling.endedAtMs)}: ${telling.reason}`,
      notBeforeMs: newest.endedAtMs + (isIncident ? Math.max(hourMs, waitMs) : waitMs),
    });
  }
  return wanted.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs).slice(0, wantedMax);
}

/** True for a run that leaves a question another run can answer. */
function isOpen(run: JudgedRun): boolean {
  if (run.verdict === "suspect") return true;
  return run.verdict === "unknown" && !hasRule(run, "no-reference");
}

/** How many runs in a row, newest first, have left the question open. At least 1. */
function openRunsInARow(recent: readonly JudgedRun[]): number {
  const counted = recent.filter(({ outcome }) => outcome !== "cancelled");
  const settled = counted.findIndex(
    ({ verdict }) => verdict !== "suspect" && verdict !== "unknown",
  );
  return Math.max(1, settled < 0 ? counted.length : settled);
}

function hasRule({ findings }: JudgedRun, rule: string): boolean {
  return findings.some((finding) => finding.rule === rule);
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
