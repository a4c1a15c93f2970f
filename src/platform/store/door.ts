import { closedError } from "./closed-error.ts";

/** Counts who is inside, so that closing can wait for them. */
export class Door {
  readonly #store: string;
  readonly #inside = new Set<Promise<unknown>>();
  #closed = false;

  constructor(store: string) {
    this.#store = store;
  }

  /** Runs `work` inside. @throws E_STORE_UNUSABLE once the door is closed. */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError(this.#store);
    const working = work();
    this.#inside.add(working);
    try {
      return await working;
    } finally {
      this.#inside.delete(working);
    }
  }

  /** Lets no one in any more, and waits until everyone has left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#inside);
  }
}
