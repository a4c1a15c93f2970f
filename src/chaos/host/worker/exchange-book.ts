import type { Where } from "../control/messages.ts";

/** An exchange between ranks of the plan. */
export interface Exchange {
  /** The same on all of its members. */
  readonly key: string;
  readonly members: readonly number[];
  /** It goes on beside other work, so that who is in it may as well be anywhere else. */
  readonly isBackground?: boolean;
}

/** Which exchanges this rank has entered, and in which it is: what a roll call asks for. */
export class ExchangeBook {
  #entered = new Map<string, number>();
  #waiting: Where["waiting"] = null;
  #isPassedOver = false;

  /** A new generation, or another attempt of it: what was before does not count. */
  reset(): void {
    this.#entered = new Map();
    this.#waiting = null;
    this.#isPassedOver = false;
  }

  /** How many exchanges of a key it has entered. */
  enteredOf(key: string): number {
    return this.#entered.get(key) ?? 0;
  }

  /** Others go on without this rank in an exchange, unless it has come by now. */
  passOver(key: string, nth: number): void {
    if (this.enteredOf(key) < nth) this.#isPassedOver = true;
  }

  /** Whether what this rank adds in this step is left out. */
  get isPassedOver(): boolean {
    return this.#isPassedOver;
  }

  stepDone(): void {
    this.#isPassedOver = false;
  }

  async within<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
    const { key, members, isBackground = false } = exchange;
    const nth = this.enteredOf(key) + 1;
    this.#entered.set(key, nth);
    if (isBackground) return work();
    const own = { key, members: [...members], nth };
    this.#waiting = own;
    try {
      return await work();
    } finally {
      if (this.#waiting === own) this.#waiting = null;
    }
  }

  where(): Where {
    return { waiting: this.#waiting, entered: Object.fromEntries(this.#entered) };
  }
}
