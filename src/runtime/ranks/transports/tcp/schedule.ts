import type { CollectiveOp } from "../../../dist/time-model/types.ts";
import type { Place } from "../../measure/shapes.ts";
import { directSchedule } from "./direct-schedule.ts";
import { ringSchedule } from "./ring-schedule.ts";

/** A stretch of elements in one of a rank's two buffers. */
export interface Stretch {
  readonly buffer: "in" | "out";
  readonly at: number;
  readonly count: number;
}

/** Something received: put into `out`, or added to the same place of `in` and put into `out`. */
export interface Arrival {
  /** Where it goes in `out`. */
  readonly at: number;
  readonly count: number;
  readonly how: "copy" | "add";
  /** Sent on to the next rank once it is there. */
  readonly forward: boolean;
}

/** What one rank does: copies of its own, sends, receives. Ranks whose lists are empty are absent. */
export interface Schedule {
  readonly local: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  /** Sent without waiting for anything, by receiver. Arrivals that are forwarded follow. */
  readonly sends: ReadonlyMap<number, readonly Stretch[]>;
  /** Received in this order, by sender. */
  readonly receives: ReadonlyMap<number, readonly Arrival[]>;
  /** Where arrivals are sent on to. */
  readonly next: number;
  /** Elements of `out`; the answer begins at `answerAt`. */
  readonly outElements: number;
  readonly answerAt: number;
}

export interface ScheduleOptions extends Place {
  readonly op: CollectiveOp;
  /** Elements of S. */
  readonly elements: number;
  /** Elements of one rank's share. */
  readonly share: number;
  readonly root: number;
  /** Larger stretches are cut, so that a rank sends on the first while the next comes. */
  readonly pieceElements: number;
}

/** The lists of a schedule; what they have in common is added to them. */
export type Moves = Pick<Schedule, "local" | "sends" | "receives"> & { readonly answerAt?: number };

/**
 * How one rank carries out a collective: rings for what is summed or goes to all, direct connections
 * for what each rank has for each other. Pure; every rank's schedule fits those of the others.
 */
export function scheduleOf(options: ScheduleOptions): Schedule {
  const { rank, worldSize, elements } = options;
  const moves = ringSchedule(options) ?? directSchedule(options);
  return { next: (rank + 1) % worldSize, outElements: elements, answerAt: 0, ...moves };
}
