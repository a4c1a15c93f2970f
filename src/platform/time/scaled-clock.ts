import assert from "node:assert/strict";
import type { Clock, Timer } from "./clock.ts";

export interface ScaledClockOptions {
  /** The clock it follows; only its monotonic time counts, so that it never jumps. */
  readonly base: Clock;
  /** How many times faster than the base it runs. */
  readonly speed: number;
  /** What `nowMs` says at first, milliseconds since the Unix epoch. */
  readonly startAtMs: number;
}

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * A clock that runs `speed` times faster than another. `nowMs` gives whole milliseconds.
 *
 * Timers fire in order of due time, then of creation, and never before the clock shows their due
 * time, however coarse the timers of the base are: a base that is early by a fraction of a
 * millisecond would be early by seconds here.
 */
export function createScaledClock(options: ScaledClockOptions): Clock {
  const { speed, startAtMs } = options;
  assert(Number.isFinite(speed) && speed > 0, "a clock's speed is a positive number");
  assert(Number.isFinite(startAtMs), "a clock starts at a finite time");
  return new ScaledClock(options);
}

class ScaledClock implements Clock {
  readonly #base: Clock;
  readonly #speed: number;
  readonly #startAtMs: number;
  readonly #baseStartMs: number;
  /** In order of due time, then of creation. */
  readonly #pending: Pending[] = [];
  #armed: { readonly dueMs: number; readonly timer: Timer } | undefined;
  /** The latest reading: what was due once is never shown as not yet due. */
  #latestMs = 0;

  constructor({ base, speed, startAtMs }: ScaledClockOptions) {
    this.#base = base;
    this.#speed = speed;
    this.#startAtMs = Math.floor(startAtMs);
    this.#baseStartMs = base.monotonicMs();
  }

  nowMs(): number {
    return this.#startAtMs + Math.floor(this.monotonicMs());
  }

  monotonicMs(): number {
    const elapsedMs = (this.#base.monotonicMs() - this.#baseStartMs) * this.#speed;
    this.#latestMs = Math.max(this.#latestMs, elapsedMs);
    return this.#latestMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const entry = { dueMs: this.monotonicMs() + Math.max(0, delayMs), callback };
    const later = this.#pending.findIndex(({ dueMs }) => dueMs > entry.dueMs);
    this.#pending.splice(later === -1 ? this.#pending.length : later, 0, entry);
    this.#arm();
    return { cancel: () => this.#cancel(entry) };
  }

  #cancel(entry: Pending): void {
    const at = this.#pending.indexOf(entry);
    if (at === -1) return;
    this.#pending.splice(at, 1);
    this.#arm();
  }

  /** One timer of the base waits for whatever is due first. */
  #arm(): void {
    const dueMs = this.#pending[0]?.dueMs;
    if (dueMs === this.#armed?.dueMs) return;
    this.#armed?.timer.cancel();
    this.#armed = undefined;
    if (dueMs === undefined) return;
    const delayMs = Math.max(0, dueMs - this.monotonicMs()) / this.#speed;
    this.#armed = { dueMs, timer: this.#base.setTimer(delayMs, () => this.#fire(dueMs)) };
  }

  #fire(dueMs: number): void {
    this.#armed = undefined;
    // Less than this is the rounding of one clock's time to the other's, not a wait.
    const roundingMs = 1e-9 * dueMs + 1e-6 * this.#speed;
    if (this.monotonicMs() + roundingMs >= dueMs) this.#latestMs = Math.max(this.#latestMs, dueMs);
    const nowMs = this.monotonicMs();
    const due = this.#pending.findIndex((entry) => entry.dueMs > nowMs);
    const ready = this.#pending.slice(0, due === -1 ? this.#pending.length : due);
    try {
      // A callback may cancel a later one, or set one that waits for the next turn.
      for (const entry of ready) {
        const at = this.#pending.indexOf(entry);
        if (at === -1) continue;
        this.#pending.splice(at, 1);
        entry.callback();
      }
    } finally {
      this.#arm();
    }
  }
}
