import type { Clock, Timer } from "./clock.ts";
import { settle } from "./settle.ts";

interface Pending {
  readonly dueMs: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/** Time that moves only when told to. Timers fire in order of due time, then of creation. */
export class VirtualClock implements Clock {
  #elapsedMs = 0;
  #sequence = 0;
  #pending: Pending[] = [];
  readonly #epochMs: number;

  constructor(options: { readonly epochMs?: number } = {}) {
    this.#epochMs = options.epochMs ?? 0;
  }

  nowMs(): number {
    return this.#epochMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const entry = {
      dueMs: this.#elapsedMs + Math.max(0, delayMs),
      sequence: this.#sequence++,
      callback,
    };
    this.#pending.push(entry);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((other) => other !== entry);
      },
    };
  }

  /** How many timers wait. */
  get timersPending(): number {
    return this.#pending.length;
  }

  /** When the next timer is due, as a delay from now; undefined when none waits. */
  get nextDelayMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueMs - this.#elapsedMs;
  }

  /** Moves time forward, firing what falls due and letting promises settle after each timer. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#elapsedMs + byMs;
    await settle();
    for (
      let next = this.#next();
      next !== undefined && next.dueMs <= untilMs;
      next = this.#next()
    ) {
      this.#elapsedMs = next.dueMs;
      this.#pending = this.#pending.filter((other) => other !== next);
      next.callback();
      await settle();
    }
    this.#elapsedMs = untilMs;
  }

  #next(): Pending | undefined {
    return this.#pending.reduce<Pending | undefined>(
      (first, entry) =>
        first === undefined ||
        entry.dueMs < first.dueMs ||
        (entry.dueMs === first.dueMs && entry.sequence < first.sequence)
          ? entry
          : first,
      undefined,
    );
  }
}
