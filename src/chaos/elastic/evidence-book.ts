import type { Evidence, Trouble } from "./blame.ts";

/** Gathers what is seen of a failure, from its first sign until everybody has stopped. */
export class EvidenceBook implements Evidence {
  readonly ranks: number;
  readonly exited = new Set<number>();
  readonly noticed = new Set<number>();
  readonly silent = new Set<number>();
  readonly fading = new Set<number>();
  readonly #troubles = new Map<number, Trouble>();
  lagging: readonly number[] = [];

  constructor(ranks: number) {
    this.ranks = ranks;
  }

  get troubles(): readonly Trouble[] {
    return [...this.#troubles.values()];
  }

  /** The first trouble of a rank counts; what follows may follow from it. */
  troubled(trouble: Trouble): void {
    if (!this.#troubles.has(trouble.rank)) this.#troubles.set(trouble.rank, trouble);
  }
}
