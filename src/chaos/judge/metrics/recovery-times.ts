import type { RecoveryPhase } from "../../plan/index.ts";
import type { Recovery } from "../judgement.ts";
import type { Duration } from "../stats/index.ts";
import { medianOf } from "../stats/index.ts";

/** How long recoveries took from the effect to the end of a phase; those that did not get there, how long they were watched. */
export function phaseDurations(
  recoveries: readonly Recovery[],
  phase: RecoveryPhase,
  endUs: number,
): readonly Duration[] {
  return recoveries
    .filter((one) => hasPhase(one, phase))
    .map(({ effectUs, endsUs }) => {
      const end = endsUs[phase];
      const untilUs = end ?? Math.max(endUs, effectUs);
      return { value: (untilUs - effectUs) / 1e6, isCensored: end === null };
    });
}

/** What nobody noticed was neither detected nor isolated, and nothing is missing for that. */
export function hasPhase({ path, faults, endsUs }: Recovery, phase: RecoveryPhase): boolean {
  if (phase === "first" || phase === "regain" || phase === "steady") return true;
  if (endsUs[phase] !== null) return true;
  return path !== "none" && faults.length > 0;
}

/** The median in seconds; what was censored took longer than any. Null when that is the median, or of none. */
export function medianSeconds(durations: readonly Duration[]): number | null {
  const median = medianOf(
    durations.map(({ value, isCensored }) => (isCensored ? Number.POSITIVE_INFINITY : value)),
  );
  return median === null || !Number.isFinite(median) ? null : median;
}
