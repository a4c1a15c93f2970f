import { type Arrival, Communicator, type Slot } from "./communicator.ts";

/** Where a call is made: who takes part, and on which seat the caller sits. */
export interface Meeting {
  /** Equal for all who mean the same communicator. */
  readonly key: string;
  readonly members: readonly number[];
  readonly seat: number;
  /** What the order of the members comes from, which all must agree in too. */
  readonly axes?: string;
  /** For messages between two ranks: forgotten as soon as none is under way. */
  readonly isChannel: boolean;
}

/** An operation that not everyone has come to, and that has not failed. */
export interface OpenOperation {
  readonly communicator: Communicator;
  readonly slot: Slot;
}

/** Every communicator that ranks have used. */
export class Meetings {
  readonly #communicators = new Map<string, Communicator>();

  arrive({ key, members, seat, isChannel }: Meeting, arrival: Arrival): OpenOperation {
    const communicator = this.#communicators.get(key) ?? new Communicator(members);
    this.#communicators.set(key, communicator);
    const slot = communicator.arrive(seat, arrival);
    if (isChannel && communicator.isIdle) this.#communicators.delete(key);
    return { communicator, slot };
  }

  /** In the order in which the communicators were first used. */
  open(): readonly OpenOperation[] {
    return [...this.#communicators.values()].flatMap((communicator) =>
      [...communicator.slots.values()]
        .filter((slot) => slot.failure === undefined)
        .map((slot) => ({ communicator, slot })),
    );
  }
}
