import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { TesseraError } from "../../errors/index.ts";
import { closedError } from "../closed-error.ts";
import { threadSource } from "./connection-thread.ts";
import { toOpenError, toStoreError } from "./errors.ts";
import { toBound } from "./parameters.ts";
import type { ConnectionSetup, Reply, Request, Started } from "./protocol.ts";

export interface ConnectionOptions {
  /** The absolute path of the libsql package's entry point. */
  readonly driver: string;
  readonly path: string;
  /** The store's URL for messages. */
  readonly shown: string;
  /** Names the thread: `writer`, `reader`. */
  readonly role: string;
  /** Run once when the connection opens: `busy_timeout = 5000`. */
  readonly pragmas: readonly string[];
}

export interface Statement {
  readonly sql: string;
  readonly parameters?: readonly unknown[];
  /** Refuse to run outside a transaction. @default false */
  readonly needsTransaction?: boolean;
  /** It controls transactions, and has neither parameters nor rows. @default false */
  readonly control?: boolean;
  /**
   * Wait for the next statement that is not lazy and travel with it: waking the thread costs more
   * than most statements. Whoever sends one must see to it that another follows. @default false
   */
  readonly lazy?: boolean;
}

export interface Answer {
  readonly rows: Reply["rows"];
  readonly changes?: number;
  readonly inTransaction: boolean;
  /** Set when the statement failed; `rows` is empty then. */
  readonly error?: Error;
}

/** What the writer needs of a connection. */
export type Asked = Pick<SqliteConnection, "ask">;

const statementsMax = 256;
const threadEnded = { message: "its thread ended before it was ready", code: "" };

/** One SQLite connection on a thread of its own. Statements run in the order they are asked. */
export class SqliteConnection {
  readonly #worker: Worker;
  readonly #shown: string;
  readonly #waiting = new Map<
    number,
    { resolve(reply: Reply): void; reject(error: Error): void }
  >();
  readonly #outbox: Request[] = [];
  #lastId = 0;
  #refusal: Error | undefined;

  /** @throws E_STORE_DRIVER, E_STORE_UNUSABLE, E_STORE_CORRUPT, E_STORE_BUSY. */
  static async open(options: ConnectionOptions): Promise<SqliteConnection> {
    const { driver, path, shown, role, pragmas } = options;
    const setup: ConnectionSetup = { driver, path, pragmas, statementsMax };
    const worker = new Worker(threadSource, {
      eval: true,
      workerData: setup,
      execArgv: [],
      name: `tessera-store-${role}`,
    });
    await started(worker, shown);
    return new SqliteConnection(worker, shown);
  }

  private constructor(worker: Worker, shown: string) {
    this.#worker = worker;
    this.#shown = shown;
    worker.on("message", (replies: readonly Reply[]) => {
      for (const reply of replies) this.#settle(reply);
    });
    worker.on("error", (error) => this.#lose(error));
    worker.on("exit", () => this.#lose(undefined));
    worker.unref();
  }

  /** How many statements wait for their answer. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Runs a statement; a failure is part of the answer. Rejects only when the connection is gone. */
  async ask(statement: Statement): Promise<Answer> {
    const parameters = (statement.parameters ?? []).map(toBound);
    const { sql, needsTransaction = false, control = false, lazy = false } = statement;
    const id = ++this.#lastId;
    const reply = await this.#send({ id, sql, parameters, needsTransaction, control }, lazy);
    const { rows, changes, inTransaction } = reply;
    const error = reply.error && toStoreError(reply.error, this.#shown);
    return {
      rows,
      inTransaction,
      ...(changes === undefined ? {} : { changes }),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** Runs a statement and throws when it failed. */
  async run(statement: Statement): Promise<Answer> {
    const answer = await this.ask(statement);
    if (answer.error !== undefined) throw answer.error;
    return answer;
  }

  /** Closes after everything asked before has been answered; refuses what is asked from now on. */
  async close(): Promise<void> {
    if (this.#refusal !== undefined) return;
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.ref();
    this.#post(this.#outbox.splice(0));
    this.#post("close");
    // A statement after the close would abort the process: libsql looks for a connection and panics.
    this.#refusal = closedError(this.#shown);
    await exited;
  }

  #send(request: Request, lazy: boolean): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#refusal !== undefined) {
        reject(this.#refusal);
        return;
      }
      // An idle connection must not keep the process alive, one at work must.
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(request.id, { resolve, reject });
      this.#outbox.push(request);
      if (!lazy) this.#post(this.#outbox.splice(0));
    });
  }

  #post(message: readonly Request[] | "close"): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(message);
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    assert(waiting !== undefined, "a reply belongs to a request");
    this.#waiting.delete(reply.id);
    // Whoever closes it waits for its end, which must then keep the process alive.
    if (this.#waiting.size === 0 && this.#refusal === undefined) this.#worker.unref();
    waiting.resolve(reply);
  }

  #lose(cause: unknown): void {
    this.#refusal ??= closedError(this.#shown, cause);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#refusal);
    this.#waiting.clear();
  }
}

async function started(worker: Worker, shown: string): Promise<void> {
  const { failedAt, error } = await new Promise<Started>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => resolve({ failedAt: "driver", error: threadEnded }));
  });
  if (error === undefined) return;
  if (failedAt === "database") throw toOpenError(error, shown);
  const cause = new Error(error.message);
  throw new TesseraError("E_STORE_DRIVER", { store: shown, package: "libsql" }, { cause });
}
