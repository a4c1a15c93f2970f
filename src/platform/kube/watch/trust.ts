import type { Clock } from "../../time/clock.ts";
import type { Freshness } from "./reflector-options.ts";

/** Keeps account of how far a view can be trusted. */
export class Trust {
  readonly #clock: Clock;
  readonly #idleTimeoutMs: number;
  #lastError: Error | undefined;
  /** The server's last sign of life: for people by the calendar, for decisions by the stopwatch. */
  #heard: { readonly atMs: number; readonly monotonicMs: number } | undefined;
  /** Whether changes reach us, as far as we know. */
  connected = false;

  constructor(options: { readonly clock: Clock; readonly idleTimeoutMs: number }) {
    this.#clock = options.clock;
    this.#idleTimeoutMs = options.idleTimeoutMs;
  }

  /** The server gave a sign that the view is current. */
  hear(): void {
    this.#heard = { atMs: this.#clock.nowMs(), monotonicMs: this.#clock.monotonicMs() };
  }

  fail(error: Error): void {
    this.connected = false;
    this.#lastError = error;
  }

  forgive(): void {
    this.#lastError = undefined;
  }

  /** Whether the server has been silent for longer than a healthy one is. */
  get silent(): boolean {
    if (this.#heard === undefined) return true;
    return this.#clock.monotonicMs() - this.#heard.monotonicMs > this.#idleTimeoutMs;
  }

  /** Worked out now, by the clock: a process that was paused is not fooled. */
  freshness(stopped: boolean): Freshness {
    const error = this.#lastError === undefined ? {} : { lastError: this.#lastError };
    if (this.#heard === undefined) return { state: stopped ? "stopped" : "starting", ...error };
    const syncedAtMs = this.#heard.atMs;
    const stale = { syncedAtMs, staleSinceMs: syncedAtMs, ...error };
    if (stopped) return { state: "stopped", ...stale };
    const live = this.connected && !this.silent;
    return live ? { state: "live", syncedAtMs } : { state: "stale", ...stale };
  }
}
