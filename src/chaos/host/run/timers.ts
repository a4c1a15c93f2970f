import type { Clock, Timer } from "../../../platform/time/index.ts";

/** Timers of one run, all of which end with it. */
export class Timers {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayUs: number, callback: () => void): Timer {
    if (this.#isClosed) return { cancel: () => {} };
    const inner = this.#clock.setTimer(delayUs / 1000, () => {
      this.#timers.delete(timer);
      callback();
    });
    const timer: Timer = {
      cancel: () => {
        this.#timers.delete(timer);
        inner.cancel();
      },
    };
    this.#timers.add(timer);
    return timer;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of [...this.#timers]) timer.cancel();
  }
}
