import type { InjectionRecord, RunRecord } from "../../record/index.ts";
import type { DetectEvent, Episode } from "./episode.ts";
import type { StepIndex } from "./step-index.ts";

/** A fault that was seen to do something. */
export type EffectiveInjection = InjectionRecord & {
  readonly injectedUs: number;
  readonly effectUs: number;
};

export function effectiveInjections(record: RunRecord): readonly EffectiveInjection[] {
  return record.injections
    .filter((one): one is EffectiveInjection => one.injectedUs !== null && one.effectUs !== null)
    .toSorted((a, b) => a.effectUs - b.effectUs);
}

export interface CausedEpisode {
  readonly episode: Episode;
  readonly causes: readonly EffectiveInjection[];
}

export interface Causes {
  readonly caused: readonly CausedEpisode[];
  readonly unnoticed: readonly EffectiveInjection[];
}

/**
 * Which faults each episode came from. Every word of alarm is put down to the latest fault that fits it, and
 * to those before with no step in between. Faults that no alarm is put down to went unnoticed.
 */
export function causesOf(
  record: RunRecord,
  episodes: readonly Episode[],
  steps: StepIndex,
): Causes {
  const open = new Set(effectiveInjections(record));
  const caused = episodes.map((episode) => {
    const causes = new Set<EffectiveInjection>();
    const alarms = episode.detects.length > 0 ? episode.detects : [silentAlarm(episode)];
    for (const alarm of alarms) {
      for (const cause of explain(alarm, [...open, ...causes], steps)) {
        causes.add(cause);
        open.delete(cause);
      }
    }
    return { episode, causes: [...causes].toSorted((a, b) => a.effectUs - b.effectUs) };
  });
  return { caused, unnoticed: [...open] };
}

/** A job that stopped or began again without a word. */
function silentAlarm({ fromUs }: Episode): Pick<DetectEvent, "atUs" | "ranks"> {
  return { atUs: fromUs, ranks: [] };
}

function explain(
  alarm: Pick<DetectEvent, "atUs" | "ranks">,
  candidates: readonly EffectiveInjection[],
  steps: StepIndex,
): readonly EffectiveInjection[] {
  const before = candidates.filter(({ injectedUs }) => injectedUs <= alarm.atUs);
  const fitting = before.filter(({ ranks }) => haveCommon(ranks, alarm.ranks));
  const chosen = fitting.length > 0 ? fitting : before;
  const latest = chosen.toSorted((a, b) => a.injectedUs - b.injectedUs).at(-1);
  if (latest === undefined) return [];
  return chosen.filter(
    ({ effectUs }) =>
      effectUs >= latest.injectedUs || !steps.hasBetween(effectUs, latest.injectedUs),
  );
}

/** Nobody named is everybody. */
function haveCommon(a: readonly number[], b: readonly number[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((rank) => b.includes(rank));
}
