import type { Sign } from "./cluster.ts";

/** How many signs are worth keeping: a job that fails on a large fleet makes one for each node. */
export const signsMax = 10_000;

/** Signs that nobody has taken yet; when there are too many, the oldest are forgotten. */
export class SignQueue {
  #signs: Sign[] = [];

  add(signs: readonly Sign[]): void {
    this.#signs = [...this.#signs, ...signs.slice(-signsMax)].slice(-signsMax);
  }

  /** Oldest first; each once. */
  take(): readonly Sign[] {
    const taken = this.#signs.toSorted((a, b) => a.atMs - b.atMs);
    this.#signs = [];
    return taken;
  }
}
