import { TesseraError } from "../../platform/errors/index.ts";

/** Something that takes long and is done when its turn comes. */
export interface Job {
  readonly id: string;
  /** Never rejects. The signal's reason says why it shall end, in words. */
  run(signal: AbortSignal): Promise<void>;
  /** Its turn will not come, for the same kind of reason. Never rejects. */
  drop(reason: string): Promise<void>;
}

interface Running {
  readonly job: Job;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** A few at a time, the others in order, and only so many of them. */
export class JobQueue {
  readonly #limits: { readonly concurrent: number; readonly waiting: number };
  readonly #running = new Map<Job, Running>();
  #waiting: Job[] = [];
  #claimed = 0;
  #closed: string | undefined;

  constructor(limits: { readonly concurrent: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Of those that run or wait. */
  get ids(): readonly string[] {
    return [...[...this.#running.keys()], ...this.#waiting].map(({ id }) => id);
  }

  /**
   * Takes a place, so that what a job needs can be written down before it is begun.
   *
   * @throws E_EXPERIMENTS_FULL
   */
  claim(): { begin(job: Job): void; release(): void } {
    const { concurrent, waiting } = this.#limits;
    const taken = this.#running.size + this.#waiting.length + this.#claimed;
    if (this.#closed !== undefined || taken >= concurrent + waiting) {
      throw new TesseraError("E_EXPERIMENTS_FULL", { running: concurrent, waiting });
    }
    this.#claimed++;
    let held = true;
    const release = () => {
      if (held) this.#claimed--;
      held = false;
    };
    return {
      release,
      begin: (job) => {
        release();
        this.#waiting.push(job);
        this.#next();
      },
    };
  }

  /** Ends every job of this id; false when there is none. */
  stop(id: string, reason: string): boolean {
    const dropped = this.#waiting.filter((job) => job.id === id);
    this.#waiting = this.#waiting.filter((job) => job.id !== id);
    for (const job of dropped) void job.drop(reason);
    const ended = [...this.#running.values()].filter(({ job }) => job.id === id);
    for (const { stop } of ended) stop.abort(reason);
    return dropped.length + ended.length > 0;
  }

  /** Ends all of them and takes no more. Resolves when the last one has ended. */
  async close(reason: string): Promise<void> {
    this.#closed = reason;
    const dropped = this.#waiting;
    this.#waiting = [];
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort(reason);
    await Promise.all([
      ...dropped.map((job) => job.drop(reason)),
      ...running.map(({ done }) => done),
    ]);
  }

  #next(): void {
    while (this.#running.size < this.#limits.concurrent) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#begin(job);
    }
  }

  #begin(job: Job): void {
    if (this.#closed !== undefined) {
      void job.drop(this.#closed);
      return;
    }
    const stop = new AbortController();
    const done = job.run(stop.signal).then(() => {
      this.#running.delete(job);
      this.#next();
    });
    this.#running.set(job, { job, stop, done });
  }
}
