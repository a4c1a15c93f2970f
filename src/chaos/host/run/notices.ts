/** Slots that will be taken away together, and when. */
export interface Notice {
  readonly slots: readonly number[];
  readonly graceUs: number;
}

/** Preemptions that the job has not been told of: one of the workers has to hear it first. */
export class Notices {
  readonly #bySlot = new Map<number, Notice>();

  add(notice: Notice): void {
    for (const slot of notice.slots) this.#bySlot.set(slot, notice);
  }

  /** The one that a worker of this slot has heard; undefined: none, or the job knows it. */
  take(slot: number): Notice | undefined {
    const notice = this.#bySlot.get(slot);
    for (const noticed of notice?.slots ?? []) this.#bySlot.delete(noticed);
    return notice;
  }
}
