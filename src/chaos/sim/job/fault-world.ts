import type { PlatformNews } from "../../elastic/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { Hits } from "./hits.ts";
import type { JobContext } from "./job-context.ts";

/** What faults are done to, of whichever job. */
export interface FaultWorld {
  readonly context: Pick<JobContext, "engine" | "machines" | "network" | "storage" | "effects">;
  readonly processes: FaultyProcesses;
  readonly hits: Pick<Hits, "addCollective" | "addValue" | "disturbMemory" | "remove">;
  /** A node is seen as gone, repaired and back; null: never within the run. */
  readonly repairUs: number | null;
  /** Links are about to be disturbed by one fault more, or were by one fewer. */
  linksChanged(change: 1 | -1): void;
  /** Slots of the fault's targets, each once. */
  slotsOf(fault: PlannedFault): readonly number[];
}

/** What can be done to the process in a slot, if there is one. */
export interface FaultyProcesses {
  isIn(slot: number): boolean;
  end(slot: number, how: string): void;
  /** What it gives back lets that very process go on; null: there is none. */
  freeze(slot: number): (() => void) | null;
  /** The process meets an error of its device at its next operation. */
  deviceFails(slot: number, reason: string): void;
  /** The next device that dies in this slot leaves its process an error to see. */
  diesWithError(slot: number, reason: string): void;
  tell(news: PlatformNews): void;
}

/** Does a fault; what it gives back takes the fault back. Null: it is over at once. */
export type ApplyFault = (world: FaultWorld, fault: PlannedFault) => (() => void) | null;
