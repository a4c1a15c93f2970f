import type { Clock } from "../../platform/time/clock.ts";

/** A moment, by both of a machine's clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly atMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), atMs: clock.nowMs() };
}

/**
 * How long ago something was. A stopwatch may stand still while a machine sleeps, a calendar may be
 * set back: the longer counts.
 */
export function sinceMs(moment: Moment, clock: Clock): number {
  return Math.max(clock.monotonicMs() - moment.monotonicMs, clock.nowMs() - moment.atMs);
}
