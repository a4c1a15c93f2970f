import type { RunRecord } from "../../record/index.ts";
import type { CausedEpisode } from "../recovery/causes.ts";

/** Faults that were seen to do something over faults that were injected; null when none was. */
export function effectRate({ injections }: RunRecord): number | null {
  const injected = injections.filter(({ injectedUs }) => injectedUs !== null);
  if (injected.length === 0) return null;
  return injected.filter(({ effectUs }) => effectUs !== null).length / injected.length;
}

/**
 * Of the episodes that came from faults on some ranks and not on all, how many blamed one of these ranks and
 * nobody else. Ranks are counted anew when a job shrinks: afterwards nothing is said. Null: none to judge.
 */
export function attributionRate(
  record: RunRecord,
  caused: readonly CausedEpisode[],
): number | null {
  const full = ranksOf(record);
  let judged = 0;
  let right = 0;
  for (const { episode, causes } of caused) {
    const hit = new Set(causes.flatMap(({ ranks }) => ranks));
    const blamed = new Set(episode.detects.flatMap(({ ranks }) => ranks));
    if (hit.size > 0 && (full === null || hit.size < full) && episode.detects.length > 0) {
      judged++;
      if (blamed.size > 0 && [...blamed].every((rank) => hit.has(rank))) right++;
    }
    const { dpBefore, dpAfter } = episode;
    if (dpBefore !== null && dpAfter !== null && dpAfter < dpBefore) break;
  }
  return judged === 0 ? null : right / judged;
}

function ranksOf({ plan }: RunRecord): number | null {
  if (plan.workload.kind !== "training") return null;
  const { dp, tp, pp } = plan.workload.shape;
  return dp * tp * pp;
}
