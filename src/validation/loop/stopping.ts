import type { Clock } from "../../platform/time/clock.ts";
import type { Tick } from "./term.ts";

export interface StoppingOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly cancel?: AbortSignal;
  readonly drainTimeoutMs?: number;
  readonly cancelTimeoutMs?: number;
}

export type Phase = "running" | "draining" | "cancelling";

/** How far a loop is on its way to its end. */
export class Stopping {
  readonly #options: StoppingOptions;
  readonly #startedMs: number;
  #drainingMs: number | undefined;
  #cancellingMs: number | undefined;

  constructor(options: StoppingOptions) {
    this.#options = options;
    this.#startedMs = options.clock.monotonicMs();
  }

  /** Whether anybody has asked for the end. */
  get isAsked(): boolean {
    return this.#options.signal.aborted || this.#options.cancel?.aborted === true;
  }

  /** What the loop is to do now. */
  phase(): Phase {
    const { clock, signal, cancel } = this.#options;
    if (cancel?.aborted === true) {
      this.#cancellingMs ??= clock.monotonicMs();
      return "cancelling";
    }
    if (!signal.aborted) return "running";
    this.#drainingMs ??= clock.monotonicMs();
    return "draining";
  }

  /** True when there is nothing left to wait for, or no time. */
  isOver({ pass }: Tick): boolean {
    const { drainTimeoutMs = 1_800_000, cancelTimeoutMs = 60_000 } = this.#options;
    const phase = this.phase();
    if (phase === "running") return false;
    const limitMs = phase === "draining" ? drainTimeoutMs : cancelTimeoutMs;
    const sinceMs = phase === "draining" ? this.#drainingMs : this.#cancellingMs;
    if (this.#since(sinceMs) >= limitMs) return true;
    if (pass === undefined || pass.changed) return false;
    // A run that nobody has submitted waits for the next loop just as well.
    const inFlight = pass.open.filter(
      ({ submittedAtMs, runningAtMs }) => submittedAtMs !== undefined || runningAtMs !== undefined,
    );
    return (phase === "draining" ? inFlight : pass.open).length === 0;
  }

  hasRunFor(durationMs: number): boolean {
    return this.#since(this.#startedMs) >= durationMs;
  }

  #since(startMs: number | undefined): number {
    return startMs === undefined ? 0 : this.#options.clock.monotonicMs() - startMs;
  }
}
