import type { Clock } from "../../time/clock.ts";

/** How long an answer of the API server about somebody is believed without asking again. */
const believedMs = 10_000;
const believedMax = 256;

interface Known<T> {
  readonly answer: Promise<T | undefined>;
  /** Without end while it is asked. */
  untilMs: number;
}

/**
 * Remembers what the API server said, for a short while and about a bounded number of people. Those who ask for
 * the same at once share one question.
 */
export class Believed<T> {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is known, or what asking gives; undefined and failures are asked for anew. */
  async getOrAsk(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#known.get(key);
    if (known !== undefined && this.#clock.monotonicMs() < known.untilMs) return known.answer;
    const asked: Known<T> = { answer: ask(), untilMs: Number.POSITIVE_INFINITY };
    this.#keep(key, asked);
    // What it says is of the moment it was asked for.
    const untilMs = this.#clock.monotonicMs() + believedMs;
    try {
      const answer = await asked.answer;
      if (answer === undefined) this.#forget(key, asked);
      return answer;
    } catch (error) {
      this.#forget(key, asked);
      throw error;
    } finally {
      asked.untilMs = untilMs;
    }
  }

  #keep(key: string, asked: Known<T>): void {
    this.#known.delete(key);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < believedMax) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, asked);
  }

  #forget(key: string, asked: Known<T>): void {
    if (this.#known.get(key) === asked) this.#known.delete(key);
  }
}
