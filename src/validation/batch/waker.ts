import type { Clock } from "../../platform/time/clock.ts";

/** Sleeps until something happens. What happened while nobody slept is not forgotten. */
export class Waker {
  #isWoken = false;
  #rouse: (() => void) | undefined;

  wake(): void {
    this.#isWoken = true;
    this.#rouse?.();
  }

  /** Sleeps until woken, or until one of the delays has passed. */
  async sleep(
    delays: readonly { readonly clock: Clock; readonly delayMs: number }[],
  ): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timers = delays.map(({ clock, delayMs }) =>
          clock.setTimer(delayMs, () => this.#rouse?.()),
        );
        this.#rouse = () => {
          for (const timer of timers) timer.cancel();
          this.#rouse = undefined;
          resolve();
        };
      });
    }
    this.#isWoken = false;
  }
}
