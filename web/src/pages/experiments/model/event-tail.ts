import type { ExperimentEventView } from "../../../../../src/control/api/experiments.ts";
import { noRun, type RunSoFar, withEvents } from "./run-so-far.ts";

/** What a page keeps of a log that may be long. */
export const eventsShownMax = 2000;

/** What is known of a log so far. */
export interface EventTail {
  readonly events: readonly ExperimentEventView[];
  /** Events that were there and are no longer kept here. */
  readonly dropped: number;
  /** What all of them come to, also those that are no longer kept. */
  readonly run: RunSoFar;
}

export const emptyTail: EventTail = { events: [], dropped: 0, run: noRun };

/** The tail with what came next. Twice the same answer is once; the oldest make room. */
export function withMore(tail: EventTail, more: readonly ExperimentEventView[]): EventTail {
  const last = tail.events.at(-1)?.seq ?? -1;
  const fresh = more.filter(({ seq }) => seq > last);
  if (fresh.length === 0) return tail;
  const all = [...tail.events, ...fresh];
  const over = Math.max(0, all.length - eventsShownMax);
  const run = withEvents(tail.run, fresh);
  return { events: all.slice(over), dropped: tail.dropped + over, run };
}

/** How far a run is, from its newest step; null while nobody knows. */
export function newestStep(tail: EventTail): number | null {
  for (let at = tail.events.length - 1; at >= 0; at -= 1) {
    const step = tail.events[at]?.step ?? null;
    if (step !== null) return step;
  }
  return null;
}

/** Steps drown everything else in a log: they can be hidden. */
export function withoutSteps(
  events: readonly ExperimentEventView[],
): readonly ExperimentEventView[] {
  return events.filter(({ kind }) => kind !== "step" && kind !== "memory");
}
