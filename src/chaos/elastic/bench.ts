import type { Slot } from "./messages.ts";

/**
 * Replicas that a job went on without though nobody knows that they are gone. Each slot is in one of them at
 * most, so that there are never more than the fleet has.
 */
export class Bench {
  #replicas: readonly (readonly Slot[])[] = [];

  /** `left` are those of before; what is `taken` is used now. */
  change({
    left,
    taken,
  }: {
    readonly left: readonly (readonly Slot[])[];
    readonly taken: readonly Slot[];
  }): void {
    const used = new Set(taken);
    const all = [...this.#replicas, ...left];
    this.#replicas = all.filter((slots) => !slots.some((slot) => used.has(slot)));
  }

  /** Those of which every slot is free. */
  free(isFree: (slot: Slot) => boolean): readonly (readonly Slot[])[] {
    return this.#replicas.filter((slots) => slots.every(isFree));
  }
}
