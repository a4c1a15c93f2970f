import type { Clock } from "../../time/clock.ts";

/** How long an answer of the API server about somebody is believed without asking again. */
const believedMs = 10_000;
const believedMax = 256;

/** Remembers what the API server said, for a short while and about a bounded number of people. */
export class Believed<T> {
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly answer: T; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is known, or what asking gives; undefined is asked for anew each time. */
  async getOrAsk(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#answers.get(key);
    const nowMs = this.#clock.monotonicMs();
    if (known !== undefined && nowMs < known.untilMs) return known.answer;
    this.#answers.delete(key);
    const answer = await ask();
    if (answer === undefined) return undefined;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size < believedMax) break;
      this.#answers.delete(oldest);
    }
    this.#answers.set(key, { answer, untilMs: nowMs + believedMs });
    return answer;
  }
}
