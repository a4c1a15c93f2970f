import assert from "node:assert/strict";
import { Waiters } from "./waiters.ts";

export interface SemaphoreOptions {
  /** How many may hold a permit at the same time. */
  readonly permits: number;
  /** How many may wait for one; the next is turned away with OverflowError. @default 10_000 */
  readonly waitersMax?: number;
}

/** Lets a limited number in at the same time; the others wait in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiters: Waiters<void>;

  constructor(options: SemaphoreOptions) {
    const { permits, waitersMax = 10_000 } = options;
    assert(Number.isSafeInteger(permits) && permits >= 1, "permits is at least 1");
    this.#free = permits;
    this.#waiters = new Waiters(waitersMax);
  }

  /** How many permits nobody holds. */
  get free(): number {
    return this.#free;
  }

  /** How many wait for a permit. */
  get waiting(): number {
    return this.#waiters.count;
  }

  /**
   * Waits for a permit and returns how to give it back; giving it back twice counts once.
   *
   * @throws OverflowError when too many wait already; the signal's reason when that aborts.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    // A freed permit is handed straight to a waiter, so a free one means that nobody waits.
    if (this.#free > 0) this.#free--;
    else await this.#waiters.wait(undefined, signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (this.#waiters.wake() === undefined) this.#free++;
    };
  }

  /** Runs `work` while holding a permit. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
