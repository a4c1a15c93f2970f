import type { ExperimentDetailView } from "../api/experiments.ts";

type Injection = ExperimentDetailView["injections"][number];

/** Of more faults the first ones are shown; the record has all. */
export const injectionsMax = 500;

/** The faults of a run that goes on, as they stand by now. */
export class LiveInjections {
  readonly #write: (injections: Injection[]) => Promise<void>;
  readonly #known = new Map<string, Injection>();
  #isNew = false;

  constructor(write: (injections: Injection[]) => Promise<void>) {
    this.#write = write;
  }

  add(injection: Injection): void {
    if (!this.#known.has(injection.id) && this.#known.size >= injectionsMax) return;
    this.#known.set(injection.id, injection);
    this.#isNew = true;
  }

  /** Writes them down if there is something new. @throws what the store throws; they are new then as before */
  async keep(): Promise<void> {
    if (!this.#isNew) return;
    this.#isNew = false;
    try {
      await this.#write([...this.#known.values()]);
    } catch (error) {
      this.#isNew = true;
      throw error;
    }
  }
}
