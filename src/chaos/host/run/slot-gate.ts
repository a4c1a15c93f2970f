/** Which slots can be used. Faults close them, each for itself; one is open when nobody closes it. */
export class SlotGate {
  readonly #closed = new Map<number, Map<string, string>>();

  close(slot: number, reason: string, injection: string): void {
    const by = this.#closed.get(slot) ?? new Map<string, string>();
    this.#closed.set(slot, by.set(injection, reason));
  }

  /** @returns whether it can be used from now on, and could not before */
  open(slot: number, injection: string): boolean {
    const by = this.#closed.get(slot);
    if (by === undefined || !by.delete(injection) || by.size > 0) return false;
    this.#closed.delete(slot);
    return true;
  }

  /** Why a slot cannot be used; undefined when it can. */
  reasonOf(slot: number): string | undefined {
    const [reason] = this.#closed.get(slot)?.values() ?? [];
    return reason;
  }

  closed(): readonly number[] {
    return [...this.#closed.keys()];
  }
}
