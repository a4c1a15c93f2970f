import type { Clock, Timer } from "../../platform/time/clock.ts";

export interface ChangeNewsOptions {
  readonly clock: Clock;
  /** Nobody has to wait for a read that nobody will look at. */
  isWatched(): boolean;
  /** Waits until something can be read that was begun after this moment of the monotonic clock. */
  readSince(sinceMs: number, signal: AbortSignal): Promise<unknown>;
  tell(): void;
}

const tellEveryMs = 3_000;

/** Tells those who watch that something is new, now and then: once it can be read, and not before. */
export class ChangeNews {
  readonly #options: ChangeNewsOptions;
  readonly #stop = new AbortController();
  #changedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #isReading = false;

  constructor(options: ChangeNewsOptions) {
    this.#options = options;
  }

  /** Something has changed. */
  note(): void {
    this.#changedMs = this.#options.clock.monotonicMs();
    this.#tellSoon();
  }

  stop(): void {
    this.#stop.abort();
    this.#timer?.cancel();
  }

  #tellSoon(): void {
    if (this.#timer !== undefined || this.#isReading || this.#stop.signal.aborted) return;
    this.#timer = this.#options.clock.setTimer(tellEveryMs, () => {
      this.#timer = undefined;
      void this.#tell();
    });
  }

  /** Never rejects. */
  async #tell(): Promise<void> {
    const { isWatched, readSince, tell } = this.#options;
    const { signal } = this.#stop;
    const changedMs = this.#changedMs;
    if (isWatched()) {
      this.#isReading = true;
      // What cannot be read is told all the same: whoever asks hears why.
      await readSince(changedMs, signal).catch(() => {});
      this.#isReading = false;
    }
    if (signal.aborted) return;
    tell();
    if (this.#changedMs > changedMs) this.#tellSoon();
  }
}
