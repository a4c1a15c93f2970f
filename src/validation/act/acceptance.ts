import { isHealthy } from "../../platform/words.ts";
import { type CheckStates, type JudgedRun, standingVerdict } from "../judge/index.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { GuardSettings } from "../settings.ts";
import type { NodeDeeds } from "./node-record.ts";

const dayMs = 86_400_000;

/** How far a closed node is on its way back. */
export interface Acceptance {
  /** The runs it rests on, when every required check has passed afresh; undefined before that. */
  readonly accepted: readonly JudgedRun[] | undefined;
  /** The runs that are missing. */
  readonly wanted: readonly WantedRun[];
  /** What is missing, for a sentence: `nccl-loopback has not passed since 2026-…`. */
  readonly missing: string;
}

/**
 * What a closed node still needs. Only runs planned after it was closed count, and after it was
 * repaired where it was. The first run of a node nobody has repaired waits for a cooldown; each run
 * that did not pass doubles the wait, up to a day.
 */
export function acceptanceOf(
  node: string,
  given: {
    readonly cordoned: NonNullable<NodeDeeds["cordoned"]>;
    readonly repairedAtMs: number | undefined;
    readonly states: CheckStates;
    readonly requiredChecks: readonly string[];
    readonly guard: Pick<GuardSettings, "cooldownMs" | "retestAfterMs">;
  },
): Acceptance {
  const { cordoned, repairedAtMs = 0, states, requiredChecks, guard } = given;
  const sinceMs = Math.max(cordoned.atMs, repairedAtMs);
  const isRepaired = repairedAtMs >= cordoned.atMs;
  const accepted: JudgedRun[] = [];
  const wanted: WantedRun[] = [];
  for (const check of requiredChecks) {
    const recent = (states.get(node, check)?.recent ?? []).filter(
      ({ plannedAtMs }) => plannedAtMs >= sinceMs,
    );
    const { verdict, run } = standingVerdict({ node, check, recent });
    if (run !== undefined && isHealthy(verdict)) {
      accepted.push(run);
      continue;
    }
    const waitMs = isRepaired ? 0 : guard.cooldownMs;
    const notBeforeMs = recent.length === 0 ? sinceMs + waitMs : afterRuns(recent, guard);
    const since = `${isRepaired ? "repaired" : "closed"} at ${new Date(sinceMs).toISOString()}`;
    const reason = `${since}; opened again only when ${check} passes`;
    wanted.push({ node, check, purpose: "acceptance", reason, notBeforeMs });
  }
  const isComplete = requiredChecks.length > 0 && wanted.length === 0;
  const names = wanted.map(({ check }) => check).join(", ");
  const missing = `no pass of ${names || "any check"} since ${new Date(sinceMs).toISOString()}`;
  return { accepted: isComplete ? accepted : undefined, wanted, missing };
}

/** When the next try is due after these, newest first. */
function afterRuns(
  recent: readonly JudgedRun[],
  { cooldownMs, retestAfterMs }: Pick<GuardSettings, "cooldownMs" | "retestAfterMs">,
): number {
  const [newest] = recent;
  const failures = recent.filter(({ verdict }) => verdict === "fail").length;
  const tries = recent.filter(({ outcome }) => outcome !== "cancelled").length;
  const baseMs = failures > 0 ? Math.max(cooldownMs, retestAfterMs) : retestAfterMs;
  const waitMs = Math.min(Math.max(dayMs, baseMs), baseMs * 2 ** Math.max(0, tries - 1));
  return (newest?.endedAtMs ?? 0) + waitMs;
}
