import { TesseraError } from "../../errors/index.ts";
import { closedError } from "../closed-error.ts";
import type { Answer, SqliteConnection, Statement } from "./connection.ts";

// Two, so that one long report does not hold up every small read.
const readersMax = 2;
// Reads that may wait for their answer, over all readers.
const pendingMax = 10_000;

/**
 * The connections that read. In WAL mode they see the last commit and never wait for the writer.
 * A second one is opened when the first is at work.
 */
export class ReaderPool {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #shown: string;
  readonly #readers: SqliteConnection[] = [];
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(options: {
    readonly open: () => Promise<SqliteConnection>;
    readonly shown: string;
  }) {
    this.#open = options.open;
    this.#shown = options.shown;
  }

  async read(statement: Statement): Promise<Answer> {
    for (;;) {
      if (this.#closed) throw closedError(this.#shown);
      // Nothing is awaited between choosing a reader and asking it: others would choose it too.
      const reader = this.#choose();
      if (reader !== undefined) return await reader.run(statement);
      this.#opening ??= this.#add();
      await this.#opening;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    await Promise.all(this.#readers.map((reader) => reader.close()));
  }

  /** The least busy reader; undefined when another should be opened first. */
  #choose(): SqliteConnection | undefined {
    const best = this.#readers.toSorted((one, other) => one.pending - other.pending)[0];
    if (best === undefined || best.pending === 0) return best;
    if (this.#readers.length < readersMax) return undefined;
    if (best.pending < pendingMax / readersMax) return best;
    const problem = `${pendingMax} reads are waiting already`;
    throw new TesseraError("E_STORE_BUSY", { store: this.#shown, problem });
  }

  async #add(): Promise<void> {
    try {
      this.#readers.push(await this.#open());
    } finally {
      this.#opening = undefined;
    }
  }
}
