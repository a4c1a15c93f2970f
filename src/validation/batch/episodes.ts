import { isTesseraError, messageOf } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { TroubleEvent } from "./events.ts";

interface Episode {
  readonly problem: string;
  readonly sinceMs: number;
  readonly failures: number;
  /** Not tried again before this, by the stopwatch. */
  readonly retryAtMs: number;
}

export interface EpisodesOptions {
  readonly clock: Clock;
  readonly retryMs: number;
  readonly retryMsMax: number;
  readonly onEvent: (event: TroubleEvent) => void;
}

/**
 * Keeps a loop going when steps of it fail. Each step that fails begins an episode, which is told
 * once, holds the step back for longer and longer, and is told again when it is over.
 */
export class Episodes {
  readonly #options: EpisodesOptions;
  readonly #open = new Map<string, Episode>();

  constructor(options: EpisodesOptions) {
    this.#options = options;
  }

  /** False while a step that failed has to wait. */
  isDue(step: string): boolean {
    const episode = this.#open.get(step);
    return episode === undefined || this.#options.clock.monotonicMs() >= episode.retryAtMs;
  }

  /** The time until the next step may be tried again; undefined when none waits. */
  nextDelayMs(): number | undefined {
    const nowMs = this.#options.clock.monotonicMs();
    const waits = [...this.#open.values()].map(({ retryAtMs }) => retryAtMs - nowMs);
    const ahead = waits.filter((waitMs) => waitMs > 0);
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }

  /** What does not work now. */
  list(): readonly { readonly step: string; readonly problem: string }[] {
    return [...this.#open].map(([step, { problem }]) => ({ step, problem }));
  }

  has(step: string): boolean {
    return this.#open.has(step);
  }

  /** Runs a step if it is due; undefined when it was not, or failed. */
  async attempt<T>(
    step: string,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    if (!this.isDue(step)) return undefined;
    try {
      const value = await work();
      this.succeeded(step);
      return { value };
    } catch (error) {
      this.failed(step, problemOf(error));
      return undefined;
    }
  }

  failed(step: string, problem: string): void {
    const { clock, retryMs, retryMsMax, onEvent } = this.#options;
    const nowMs = clock.monotonicMs();
    const before = this.#open.get(step);
    const failures = (before?.failures ?? 0) + 1;
    const waitMs = Math.min(retryMsMax, retryMs * 2 ** Math.min(failures - 1, 30));
    const sinceMs = before?.sinceMs ?? nowMs;
    this.#open.set(step, { problem, sinceMs, failures, retryAtMs: nowMs + waitMs });
    if (before === undefined) onEvent({ type: "trouble", step, problem });
  }

  succeeded(step: string): void {
    const before = this.#open.get(step);
    if (before === undefined) return;
    this.#open.delete(step);
    const lastedMs = this.#options.clock.monotonicMs() - before.sinceMs;
    this.#options.onEvent({ type: "recovered", step, failures: before.failures, lastedMs });
  }
}

/** What went wrong, with the code under which it can be looked up. */
export function problemOf(error: unknown): string {
  return isTesseraError(error) ? `${error.code}: ${error.message}` : messageOf(error);
}
