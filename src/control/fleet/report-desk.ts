import { OverflowError, Semaphore } from "../../platform/concurrency/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** Each takes a share of the process that answers everybody else. */
const madeAtOnce = 1;
const waitingMax = 4;
const keptMs = 15_000;
const keptMax = 8;
/** A report with more items is made again rather than kept. */
const keptItemsMax = 20_000;
const retryAfterS = 10;

interface Job<T> {
  readonly made: Promise<T>;
  readonly stop: AbortController;
  askers: number;
  /** By the monotonic clock; undefined while it is being made. */
  freshUntilMs: number | undefined;
}

/**
 * Makes reports one after the other. Those who ask for the same share one, while it is made and for a
 * while after; one that nobody waits for any more is given up.
 */
export class ReportDesk<T> {
  readonly #clock: Clock;
  readonly #itemsOf: (made: T) => number;
  readonly #turns = new Semaphore({ permits: madeAtOnce, waitersMax: waitingMax });
  readonly #jobs = new Map<string, Job<T>>();

  /** `itemsOf` says how many items a report has. */
  constructor(clock: Clock, itemsOf: (made: T) => number) {
    this.#clock = clock;
    this.#itemsOf = itemsOf;
  }

  /** @throws E_BUSY; the signal's reason when that aborts; whatever `make` throws. */
  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const job = this.#fresh(key) ?? this.#begin(key, make);
    job.askers++;
    try {
      return await Promise.race([job.made, aborted(signal)]);
    } finally {
      job.askers--;
      if (job.askers === 0 && job.freshUntilMs === undefined) this.#giveUp(key, job);
    }
  }

  #fresh(key: string): Job<T> | undefined {
    const job = this.#jobs.get(key);
    const { freshUntilMs = Number.POSITIVE_INFINITY } = job ?? {};
    return this.#clock.monotonicMs() < freshUntilMs ? job : undefined;
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<T>): Job<T> {
    const stop = new AbortController();
    const made = this.#turns
      .run(() => make(stop.signal), stop.signal)
      .catch((error: unknown) => {
        throw error instanceof OverflowError ? busy() : error;
      });
    const job: Job<T> = { made, stop, askers: 0, freshUntilMs: undefined };
    this.#jobs.set(key, job);
    made.then(
      (value) => this.#keep(key, job, this.#itemsOf(value)),
      () => this.#forget(key, job),
    );
    return job;
  }

  #keep(key: string, job: Job<T>, items: number): void {
    job.freshUntilMs = this.#clock.monotonicMs() + keptMs;
    if (items > keptItemsMax) this.#forget(key, job);
    for (const [other, { freshUntilMs }] of this.#jobs) {
      if (this.#jobs.size <= keptMax) return;
      if (freshUntilMs !== undefined) this.#jobs.delete(other);
    }
  }

  #giveUp(key: string, job: Job<T>): void {
    this.#forget(key, job);
    job.stop.abort(new Error("nobody waits for this report any more"));
  }

  #forget(key: string, job: Job<T>): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }
}

/** Rejects with the signal's reason when it aborts; settles in no other way. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function busy(): TesseraError {
  const details = { what: "reports", running: madeAtOnce, waiting: waitingMax };
  return new TesseraError("E_BUSY", { ...details, waitS: retryAfterS });
}
