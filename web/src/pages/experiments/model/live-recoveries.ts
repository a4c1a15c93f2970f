import type { ExperimentEventView } from "../../../../../src/control/api/experiments.ts";
import { goingOnPath, type TimelineSource } from "./timeline-lanes.ts";

type Recovery = TimelineSource["recoveries"][number];

/** A stretch in which the job was out of step, as its events tell it. */
interface Episode {
  readonly fromS: number;
  readonly detectS: number | null;
  readonly isolateS: number | null;
  readonly reformS: number | null;
  readonly loadS: number | null;
  readonly firstS: number | null;
  readonly regainS: number | null;
  readonly gaveUp: boolean;
  /** Steps that ended although something had been noticed: those under way do. */
  readonly stepsAfter: number;
}

export interface EpisodesSoFar {
  readonly over: readonly Episode[];
  readonly open: Episode | null;
  readonly furthestStep: number;
}

export const noEpisodes: EpisodesSoFar = { over: [], open: null, furthestStep: -1 };

const episodesMax = 200;
const stepsUnderWay = 1;

/** The episodes after one more event of the run with faults. */
export function withEvent(so: EpisodesSoFar, event: ExperimentEventView): EpisodesSoFar {
  const { atS, kind } = event;
  switch (kind) {
    case "detect":
      return { ...so, open: { ...opened(so, atS), detectS: so.open?.detectS ?? atS } };
    case "isolate":
      return { ...so, open: { ...opened(so, atS), isolateS: atS, ...unreached, reformS: null } };
    case "generation":
      return moved(so, { ...unreached, reformS: atS });
    case "restore":
      return isLoaded(event) ? moved(so, { firstS: null, loadS: atS }) : so;
    case "step":
      return stepped(so, event);
    case "give-up":
      return closed({ ...so, open: { ...opened(so, atS), gaveUp: true } });
    case "finish":
      return closed(so);
    default:
      return so;
  }
}

/** Void with each new attempt. */
const unreached = { loadS: null, firstS: null };

function opened({ open }: EpisodesSoFar, atS: number): Episode {
  return (
    open ?? {
      fromS: atS,
      detectS: null,
      isolateS: null,
      reformS: null,
      loadS: null,
      firstS: null,
      regainS: null,
      gaveUp: false,
      stepsAfter: 0,
    }
  );
}

/** The first generation and what is loaded at the start belong to no recovery. */
function moved(so: EpisodesSoFar, reached: Partial<Episode>): EpisodesSoFar {
  return so.open === null ? so : { ...so, open: { ...so.open, ...reached } };
}

function isLoaded({ text }: ExperimentEventView): boolean {
  return text.startsWith("back at step");
}

function stepped(so: EpisodesSoFar, { atS, step }: ExperimentEventView): EpisodesSoFar {
  const furthestStep = Math.max(so.furthestStep, step ?? -1);
  const next = { ...so, furthestStep };
  if (so.open === null) return next;
  const { isolateS, reformS, loadS, firstS, stepsAfter } = so.open;
  const hasMoved = isolateS !== null || reformS !== null || loadS !== null;
  if (!hasMoved && stepsAfter < stepsUnderWay) {
    return { ...next, open: { ...so.open, stepsAfter: stepsAfter + 1 } };
  }
  const open = { ...so.open, firstS: firstS ?? atS };
  const isBack = step === null || step > so.furthestStep;
  return isBack ? closed({ ...next, open: { ...open, regainS: atS } }) : { ...next, open };
}

function closed(so: EpisodesSoFar): EpisodesSoFar {
  if (so.open === null) return so;
  return { ...so, over: [...so.over, so.open].slice(-episodesMax), open: null };
}

/** Recoveries as the time axis shows them, each from the effect of the fault before it. */
export function recoveriesSoFar(
  { over, open }: EpisodesSoFar,
  injections: TimelineSource["injections"],
): Recovery[] {
  const effects = injections
    .flatMap(({ injectedS, effectS }) => effectS ?? injectedS ?? [])
    .toSorted((a, b) => a - b);
  let endS = 0;
  return [...over, ...(open === null ? [] : [open])].map((episode) => {
    const effectS = effects.find((atS) => atS > endS && atS <= episode.fromS) ?? episode.fromS;
    endS = episode.regainS ?? episode.firstS ?? episode.fromS;
    return recoveryOf(episode, { effectS, isOpen: episode === open });
  });
}

function recoveryOf(
  episode: Episode,
  { effectS, isOpen }: { readonly effectS: number; readonly isOpen: boolean },
): Recovery {
  const { detectS, isolateS, reformS, loadS, firstS, regainS, gaveUp } = episode;
  return {
    faults: [],
    path: gaveUp ? "cleanFailure" : isOpen ? goingOnPath : "recovered",
    effectS,
    phases: [
      { phase: "detect", endS: detectS },
      { phase: "isolate", endS: isolateS },
      { phase: "reform", endS: reformS },
      { phase: "load", endS: loadS },
      { phase: "first", endS: firstS },
      { phase: "regain", endS: regainS },
    ],
  };
}
