import type { Crew } from "./crew.ts";
import type { JobContext } from "./job-context.ts";

const samplesMax = 512;
/** Samples of one rank in a whole run, about. */
const samplesOfRank = 32;

/** Samples the memory of some devices, seldom: of the first rank, and of those that a fault is about. */
export class MemoryWatch {
  readonly #context: JobContext;
  readonly #slots = new Set<number>([0]);
  readonly #everySteps: number;
  #samples = 0;

  constructor(context: JobContext) {
    this.#context = context;
    this.#everySteps = Math.max(1, Math.ceil(context.workload.steps / samplesOfRank));
  }

  watch(slots: readonly number[]): void {
    for (const slot of slots) this.#slots.add(slot);
  }

  sample(step: number, crew: Crew | null): void {
    if (crew === null || step % this.#everySteps !== 0) return;
    const { recorder, machines } = this.#context;
    for (const process of crew.members) {
      if (process === undefined || !this.#slots.has(process.slot)) continue;
      if (this.#samples >= samplesMax) return;
      this.#samples++;
      const memory = machines.memoryOf(process.slot).sample();
      recorder.record({ kind: "memory", rank: process.rank, memory });
    }
  }
}
