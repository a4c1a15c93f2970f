import { sleep } from "../../platform/time/clock.ts";
import type { ServiceContext } from "../service.ts";
import type { ExperimentBook } from "./experiment-book.ts";
import type { ExperimentChange } from "./experiment-change.ts";
import type { SearchChange } from "./reproducer.ts";
import type { ExperimentWorld } from "./settings.ts";

export interface ExperimentNotesOptions {
  readonly context: Pick<ServiceContext, "clock" | "log" | "hub" | "metrics">;
  readonly book: ExperimentBook;
  /** This process among those that share the store: what others have taken over it leaves alone. */
  readonly holder: string;
}

const retryMsMin = 1_000;
const retryMsMax = 60_000;

/** What this process writes down about experiments. */
export class ExperimentNotes {
  readonly #options: ExperimentNotesOptions;
  readonly #closed = new AbortController();
  readonly #ending = new Set<string>();

  constructor(options: ExperimentNotesOptions) {
    this.#options = options;
  }

  /** Those whose end is known here and not yet in the books. */
  get endingIds(): readonly string[] {
    return [...this.#ending];
  }

  /**
   * Writes down how it goes, and tells of it. Never rejects: an experiment goes on without its notes.
   *
   * @returns false when somebody else has taken it over, or has ended it in the books
   */
  async note(id: string, change: ExperimentChange): Promise<boolean> {
    const { book, context, holder } = this.#options;
    try {
      if (!(await book.change(id, change, holder))) return false;
    } catch (err) {
      context.log.error({ err, experiment: id }, "how an experiment goes could not be kept");
    }
    this.#tell(id, change);
    return true;
  }

  /** Writes an end down, tells of it and counts it. Never rejects. */
  async conclude(
    job: { readonly id: string; readonly world: ExperimentWorld },
    change: ExperimentChange,
  ): Promise<void> {
    const { clock, metrics } = this.#options.context;
    const { state = "failed", outcome } = change;
    const labels = { world: job.world, outcome: state === "finished" ? (outcome ?? state) : state };
    const isWritten = await this.#writeEnd(job.id, { ...change, endedAtMs: clock.nowMs() });
    if (isWritten) metrics.count("tessera_experiments_total", labels);
  }

  /** Writes down what came of a search for a smaller one. Never rejects. */
  async concludeSearch(id: string, reproducer: SearchChange): Promise<void> {
    await this.#writeEnd(id, { reproducer });
  }

  /** What cannot be written now is left to whoever takes it over. */
  close(): void {
    this.#closed.abort();
  }

  /** Tries until the store has it: without an end it would be held by us, and run, for ever. */
  async #writeEnd(id: string, change: ExperimentChange): Promise<boolean> {
    const { book, context, holder } = this.#options;
    const { signal } = this.#closed;
    this.#ending.add(id);
    try {
      for (let waitMs = retryMsMin; ; waitMs = Math.min(2 * waitMs, retryMsMax)) {
        const isLast = signal.aborted;
        try {
          if (!(await book.change(id, change, holder))) return false;
          this.#tell(id, change);
          return true;
        } catch (err) {
          context.log.error({ err, experiment: id }, "what came of an experiment is not kept yet");
        }
        if (isLast) return false;
        await sleep(context.clock, waitMs, signal).catch(() => {});
      }
    } finally {
      this.#ending.delete(id);
    }
  }

  #tell(id: string, change: ExperimentChange): void {
    const { state, outcome = null } = change;
    this.#options.context.hub.publish("experiment.changed", {
      id,
      ...(state === undefined ? {} : { state, outcome }),
    });
  }
}
