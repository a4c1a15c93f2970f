import type { ExperimentEventView } from "../../../../../src/control/api/experiments.ts";
import { type EpisodesSoFar, noEpisodes, withEvent } from "./live-recoveries.ts";
import {
  emptyBins,
  type Moment,
  type RateBins,
  type RatedPhase,
  ratedPhases,
  withMoments,
} from "./rate-bins.ts";
import type { TimelineSource } from "./timeline-lanes.ts";

/** What all events so far come to: the log keeps its newest lines only, the curves need the whole run. */
export interface RunSoFar {
  readonly bins: RateBins;
  readonly episodes: EpisodesSoFar;
  readonly saves: TimelineSource["saves"];
  /** The first event that was seen here; undefined before it. */
  readonly first: ExperimentEventView | undefined;
}

export const noRun: RunSoFar = {
  bins: emptyBins,
  episodes: noEpisodes,
  saves: [],
  first: undefined,
};

const savesMax = 500;

/** The run with what came next, each event once and in order. */
export function withEvents(run: RunSoFar, fresh: readonly ExperimentEventView[]): RunSoFar {
  const first = run.first ?? fresh[0];
  const isCut = first !== undefined && first.seq > 0;
  const cut = isCut ? ratedPhases.find((phase) => phase === first.phase) : undefined;
  return {
    first,
    bins: withMoments(run.bins, fresh.flatMap(momentOf), cut),
    episodes: fresh.filter(isWithFaults).reduce(withEvent, run.episodes),
    saves: [...run.saves, ...fresh.flatMap(saveOf)].slice(-savesMax),
  };
}

function momentOf({ phase, kind, atS, units }: ExperimentEventView): readonly Moment[] {
  const rated: RatedPhase | undefined = ratedPhases.find((one) => one === phase);
  if (rated === undefined) return [];
  return [{ phase: rated, atS, units: kind === "step" ? units : null }];
}

function isWithFaults({ phase }: ExperimentEventView): boolean {
  return phase === "method";
}

function saveOf({ kind, phase, atS, step, text }: ExperimentEventView): TimelineSource["saves"] {
  const isOver = /\b(?:committed|failed)\b/.test(text);
  if (kind !== "save" || phase !== "method" || !isOver) return [];
  return [{ atS, tag: `step ${step ?? "?"}`, ok: !text.includes("failed") }];
}
