import type { Corruption } from "../../numerics/index.ts";
import type { ParallelAxisName } from "../../plan/index.ts";
import type { MemoryPiece } from "../machines/index.ts";
import type { Group } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

/** What happens to the next exchanges of some ranks. */
export interface CollectiveHit {
  readonly fault: string;
  readonly axis: ParallelAxisName;
  readonly slots: ReadonlySet<number>;
  readonly what:
    | { readonly kind: "drop" }
    | { readonly kind: "delay"; readonly us: number }
    | { readonly kind: "corrupt"; readonly bits: Corruption };
  /** Exchanges that are still to be hit. */
  left: number;
  /** Whether one that passes is hit. */
  readonly isHit: () => boolean;
}

/** Wrong bits that a rank gets at its next step. */
export interface ValueHit {
  readonly fault: string;
  /** Of this fault at this slot. */
  readonly key: string;
  readonly slots: ReadonlySet<number>;
  readonly where: "gradient" | "parameter";
  readonly bits: Corruption;
}

/** Faults that wait for a rank to come to a certain point, and what they do to it there. */
export class Hits {
  readonly #context: JobContext;
  readonly #collectives = new Map<string, CollectiveHit>();
  readonly #values = new Map<string, ValueHit>();
  /** Slots whose memory is disturbed: there alone each step asks for memory. */
  readonly #memory = new Map<number, number>();

  constructor(context: JobContext) {
    this.#context = context;
  }

  get areCollectives(): boolean {
    return this.#collectives.size > 0;
  }

  addCollective(hit: CollectiveHit): void {
    this.#collectives.set(hit.fault, hit);
  }

  addValue(hit: ValueHit): void {
    this.#values.set(hit.key, hit);
  }

  disturbMemory(slot: number, change: 1 | -1): void {
    const count = (this.#memory.get(slot) ?? 0) + change;
    if (count === 0) this.#memory.delete(slot);
    else this.#memory.set(slot, count);
  }

  remove(fault: string): void {
    this.#collectives.delete(fault);
    for (const [key, hit] of this.#values) if (hit.fault === fault) this.#values.delete(key);
  }

  /** What would still happen to somebody, each in a few words. */
  lookForFaults(): readonly string[] {
    return [...this.#collectives.values()].map(
      ({ axis, what, left }) =>
        `the next ${left} exchanges along ${axis} would meet a ${what.kind}`,
    );
  }

  beginStep(process: SimProcess): void {
    const { crew, slot } = process;
    if (this.#values.size === 0 || crew === null) return;
    const { numerics, effects } = this.#context;
    for (const hit of [...this.#values.values()]) {
      if (!hit.slots.has(slot)) continue;
      this.#values.delete(hit.key);
      const replica = crew.replicaOf(process.rank);
      const { fault, bits } = hit;
      if (hit.where === "gradient") {
        crew.corruptions.set(replica, { fault, bits });
        continue;
      }
      const before = crew.states[replica];
      if (before === undefined) continue;
      const after = numerics.corrupted(before, bits);
      crew.states[replica] = after;
      if (numerics.digest(before) === numerics.digest(after)) continue;
      effects.sawFault(fault, "values", `what replica ${replica} holds has another digest`);
    }
  }

  /** Asks for what a step needs where memory is short; false: it was refused. */
  hasMemory({ slot, rank }: SimProcess): boolean {
    if (this.#memory.size === 0 || !this.#memory.has(slot)) return true;
    const { machines, bytes, workload, effects } = this.#context;
    const memory = machines.memoryOf(slot);
    const wanted = Math.max(512, Math.ceil(bytes.activationsPerSample * workload.job.batch));
    const piece: MemoryPiece | undefined = memory.allocate(wanted);
    if (piece !== undefined) memory.free(piece);
    const { inactiveSplitBytes, outOfMemories } = memory.sample();
    if (outOfMemories > 0) effects.saw("memory", slot, `rank ${rank} was refused memory`);
    if (inactiveSplitBytes > 0) {
      effects.saw(
        "memory-split",
        slot,
        `${inactiveSplitBytes} bytes of rank ${rank}'s memory lie split`,
      );
    }
    return piece !== undefined;
  }

  enters(process: SimProcess, group: Group): void {
    if (group.axis === "join" || group.axis === "compare") return;
    const { crew, rank, slot } = process;
    for (const hit of this.#collectives.values()) {
      if (!hit.slots.has(slot) || !isAlong(hit.axis, group) || !this.#takes(hit)) continue;
      const { what, fault } = hit;
      switch (what.kind) {
        case "drop":
          group.isDropped = true;
          this.#context.effects.sawFault(
            fault,
            "collective",
            `what rank ${rank} sent in an exchange did not arrive`,
          );
          break;
        case "delay":
          group.extraUs += what.us;
          this.#context.effects.sawFault(
            fault,
            "collective",
            `an exchange took ${what.us} us more`,
          );
          break;
        case "corrupt":
          crew?.corruptions.set(crew.replicaOf(rank), { fault, bits: what.bits });
      }
    }
  }

  /** Whether what a rank hands to its neighbour in the pipeline gets lost. */
  losesTransfer({ slot }: SimProcess): boolean {
    for (const hit of this.#collectives.values()) {
      if (hit.axis !== "pp" || hit.what.kind !== "drop" || !hit.slots.has(slot)) continue;
      if (!this.#takes(hit)) continue;
      this.#context.effects.sawFault(hit.fault, "collective", "a transfer did not arrive");
      return true;
    }
    return false;
  }

  #takes(hit: CollectiveHit): boolean {
    if (hit.left === 0 || !hit.isHit()) return false;
    hit.left--;
    if (hit.left === 0) this.#collectives.delete(hit.fault);
    return true;
  }
}

/** A job without that axis has only the exchange of everybody. */
function isAlong(axis: ParallelAxisName, group: Group): boolean {
  if (group.axis === "all") return axis === "dp" && group.crew.shape.dp === 1;
  return group.axis === axis;
}
