import { formatDurationMs } from "../../platform/units/index.ts";
import type { JobEvent } from "../record/index.ts";

/** Much happens, and the job does not get on. */
export interface Livelock {
  /** When that was certain. */
  readonly atUs: number;
  /** The last time a step was done that had not been done before; 0: never. */
  readonly sinceUs: number;
  readonly reason: string;
}

export interface LivelockOptions {
  /** Generations in a row that end without a step that is new. @default 3 */
  readonly generations?: number;
  /** Activity without a new step for so long counts as well. @default null, never */
  readonly windowUs?: number | null;
}

/** Restarts, restores and saves: what a job does when it is busy with itself. */
function isActivity({ kind }: JobEvent): boolean {
  return kind === "detect" || kind === "generation" || kind === "restore" || kind === "save";
}

/**
 * Stretches in which a job is busy without progress, each reported once. Steps that are done again after a
 * rollback are no progress. Events in the order of their times.
 */
export function findLivelocks(
  events: readonly JobEvent[],
  options: LivelockOptions = {},
): readonly Livelock[] {
  const { generations: enough = 3, windowUs = null } = options;
  const found: Livelock[] = [];
  let furthestStep = 0;
  let sinceUs = 0;
  let barren = 0;
  let isInGeneration = false;
  let isReported = false;
  const report = (atUs: number, reason: string): void => {
    if (!isReported) found.push({ atUs, sinceUs, reason });
    isReported = true;
  };
  for (const event of events) {
    if (event.kind === "step" && event.step > furthestStep) {
      furthestStep = event.step;
      sinceUs = event.atUs;
      barren = 0;
      isInGeneration = false;
      isReported = false;
      continue;
    }
    // A generation that brought something new is not counted when it ends.
    if ((event.kind === "generation" || event.kind === "give-up") && isInGeneration) {
      barren++;
      if (barren >= enough) report(event.atUs, `${barren} generations in a row did no new step`);
    }
    if (event.kind === "generation") isInGeneration = true;
    if (windowUs !== null && isActivity(event) && event.atUs - sinceUs >= windowUs) {
      const busy = formatDurationMs((event.atUs - sinceUs) / 1000);
      report(event.atUs, `busy for ${busy} without a new step`);
    }
  }
  return found;
}
