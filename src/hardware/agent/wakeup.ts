import type { Clock } from "../../platform/time/index.ts";

/** Lets a loop sleep until something changed, without missing what changed while it worked. */
export class Wakeup {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, at once when there was one since the last wait, or after a while. */
  async wait(clock: Clock, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = clock.setTimer(timeoutMs, () => resolve());
        this.#wake = () => {
          timer.cancel();
          resolve();
        };
        signal.addEventListener("abort", this.#wake, { once: true });
      });
      if (this.#wake !== undefined) signal.removeEventListener("abort", this.#wake);
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
