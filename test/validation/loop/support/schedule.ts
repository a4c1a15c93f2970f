import type { Death } from "./life.ts";
import type { JobFate } from "./world.ts";
import type { CallFault } from "./world-cluster.ts";

/** Something that happens to the world at a time. */
export interface Happening {
  readonly atMs: number;
  readonly kind: "jump" | "vanish" | "cut" | "lose-node";
  /** Milliseconds of a jump or a cut; the number of a node. */
  readonly size: number;
}

export interface Schedule {
  readonly nodes: number;
  readonly inFlightMax: number;
  readonly fates: readonly JobFate[];
  /** What goes wrong with the calls to the cluster, one after the other; then nothing. */
  readonly callFaults: readonly CallFault[];
  /** The same for the history, where a fault is before or after the effect. */
  readonly storeFaults: readonly CallFault[];
  /** How the first loops end; the one after them lives on. */
  readonly deaths: readonly Death[];
  readonly happenings: readonly Happening[];
}

export const calm: Schedule = {
  nodes: 4,
  inFlightMax: 2,
  fates: [{ pendingMs: 100, runMs: 800, end: "succeeded", handsIn: ["post", "file"] }],
  callFaults: [],
  storeFaults: [],
  deaths: [],
  happenings: [],
};
