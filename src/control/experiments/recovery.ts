import type { ServiceContext } from "../service.ts";
import type { ExperimentWorker } from "./carry-out.ts";
import type { ExperimentBook } from "./experiment-book.ts";
import type { ExperimentNotes } from "./experiment-notes.ts";
import type { JobQueue } from "./job-queue.ts";
import { reproducerEnd } from "./reproducer.ts";
import type { ExperimentWorld } from "./settings.ts";

export interface RecoveryOptions {
  readonly context: Pick<ServiceContext, "store" | "clock" | "log" | "hub">;
  readonly book: ExperimentBook;
  readonly queue: JobQueue;
  readonly worker: ExperimentWorker;
  readonly notes: ExperimentNotes;
  readonly holder: string;
}

/** A process that said nothing for so long is gone, and the lease of what it broke is over. */
const goneAfterMs = 90_000;

type OpenRow = Awaited<ReturnType<ExperimentBook["open"]>>[number];

/** Ends in the books what no process runs any more, and takes back what it left in force. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #isFirst = true;
  /** What was said to be ours the last time and that nobody here knew of. */
  #lost: ReadonlySet<string> = new Set();
  #looking: Promise<void> | undefined;
  readonly #closed = new AbortController();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Begins to look, unless it is at it: what is in a cluster may take minutes, and nobody waits for that. */
  begin(): void {
    if (this.#closed.signal.aborted) return;
    this.#looking ??= this.#look()
      .catch((err: unknown) =>
        this.#options.context.log.warn({ err }, "experiments could not be recovered"),
      )
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Begins nothing more. What is under way ends early, and is left to whoever takes it over. */
  async close(): Promise<void> {
    this.#closed.abort("the server was stopped");
    await this.#looking;
  }

  /**
   * Looks once. A SQLite store has one process at a time, so at the first look everything is gone that somebody
   * else held; others of a PostgreSQL store are given time to say that they live.
   */
  async #look(): Promise<void> {
    const { book, queue, notes, context, holder } = this.#options;
    const { store, clock } = context;
    const isAlone = store.dialect === "sqlite";
    const goneBeforeMs =
      isAlone && this.#isFirst ? Number.POSITIVE_INFINITY : clock.nowMs() - goneAfterMs;
    const isGone = (row: Pick<OpenRow, "holder" | "seen_at">) =>
      row.holder !== holder && row.seen_at <= goneBeforeMs;
    // Ours before those of the store: what is begun meanwhile is not lost.
    const known = new Set([...queue.ids, ...notes.endingIds]);
    const [open, searches] = [await book.open(), await book.openReproducers()];
    this.#isFirst = false;
    const isUnknown = (row: Pick<OpenRow, "id" | "holder">) =>
      row.holder === holder && !known.has(row.id);
    const wasLost = this.#lost;
    this.#lost = new Set([...open, ...searches].filter(isUnknown).map(({ id }) => id));
    // What was just begun may be in the books before it is in the queue, but not for two looks.
    const isLost = (row: Pick<OpenRow, "id" | "holder">) => isUnknown(row) && wasLost.has(row.id);
    for (const row of open.filter(isGone)) {
      if (!this.#closed.signal.aborted) await this.#takeOver(row);
    }
    for (const row of open.filter(isLost)) {
      await this.#end(row, { from: holder, why: "what came of it was not written down" });
    }
    for (const row of searches.filter((one) => isGone(one) || isLost(one))) {
      await this.#endSearch(row, isLost(row) ? undefined : row);
    }
  }

  async #takeOver(row: OpenRow): Promise<void> {
    const { book, context, holder } = this.#options;
    // Of several that notice, one says so.
    const isOurs = await book.takeOver(row.id, row, { holder, nowMs: context.clock.nowMs() });
    if (!isOurs) return;
    context.log.warn({ experiment: row.id }, "the process that ran this experiment is gone");
    await this.#end(row, { from: row.holder, why: "the process that ran it is gone" });
  }

  async #end(
    { id, world }: OpenRow,
    { from, why }: { readonly from: string; readonly why: string },
  ): Promise<void> {
    const { book, worker, notes } = this.#options;
    const { signal } = this.#closed;
    if (signal.aborted) return;
    const job = {
      id,
      world: world as ExperimentWorld,
      text: (await book.whole(id))?.text ?? "",
    };
    const left = await worker.takeBack(job, { from, signal });
    // Whoever comes next takes the rest back: that is not its end.
    if (signal.aborted && left !== "") return;
    await notes.conclude(job, { state: "interrupted", reason: `${why}${left}` });
  }

  async #endSearch(
    { id }: Pick<OpenRow, "id">,
    from: Pick<OpenRow, "holder" | "seen_at"> | undefined,
  ): Promise<void> {
    const { book, context } = this.#options;
    const problem = "the process that looked for it is gone";
    const ended = reproducerEnd({ made: undefined, runs: 0, problem });
    if (await book.endReproducer(id, ended, from)) {
      context.hub.publish("experiment.changed", { id });
    }
  }
}
