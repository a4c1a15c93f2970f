import assert from "node:assert/strict";

const subscribersMax = 256;

/** Those who want to hear of something. Told at once and in order; nothing is queued. */
export class Subscribers<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Returns how to stop listening. */
  add(listener: (event: Event) => void): () => void {
    assert(this.#listeners.size < subscribersMax, `at most ${subscribersMax} subscribers`);
    // Wrapped, so that one function given twice is two subscriptions.
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** A listener that throws does not keep the others from hearing; its error ends the process. */
  tell(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
