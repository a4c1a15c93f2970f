/**
 * Asks for something anew, so that each answer is newer than its question; questions that come while
 * one is under way share the next.
 */
export class Fresh<T> {
  readonly #ask: () => Promise<T>;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  get(): Promise<T> {
    if (this.#next !== undefined) return this.#next;
    const begin = () => {
      this.#next = undefined;
      const asked = this.#ask();
      this.#current = asked.catch(() => undefined);
      return asked;
    };
    this.#next = this.#current.then(begin);
    return this.#next;
  }
}
