import type { Clock, Timer } from "../../../../src/platform/time/clock.ts";

/** A clock whose calendar can be set; its stopwatch and its timers do not notice. */
export class JumpClock implements Clock {
  readonly #base: Clock;
  #offsetMs = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  nowMs(): number {
    return this.#base.nowMs() + this.#offsetMs;
  }

  monotonicMs(): number {
    return this.#base.monotonicMs();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.#base.setTimer(delayMs, callback);
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs;
  }
}
