import type { Clock } from "../../platform/time/clock.ts";

/** Keeps the newest answer to each of a few questions for a while; those who ask at once share one. */
export class Kept<T> {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #sizeMax: number;
  readonly #known = new Map<string, { readonly untilMs: number; readonly value: Promise<T> }>();

  constructor(options: {
    readonly clock: Clock;
    readonly forMs: number;
    readonly sizeMax: number;
  }) {
    this.#clock = options.clock;
    this.#forMs = options.forMs;
    this.#sizeMax = options.sizeMax;
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#known.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.value;
    const value = read();
    const entry = { untilMs: nowMs + this.#forMs, value };
    // A failure is for those who asked now; the next ones ask again.
    value.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key);
    });
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#sizeMax && oldest !== undefined) this.#known.delete(oldest);
    return value;
  }
}
