import type * as WorkerThreads from "node:worker_threads";
import type { BoundValue, ConnectionSetup, Reply, ReportedError, Request } from "./protocol.ts";

/** What is used of libsql. */
interface Libsql {
  readonly inTransaction: boolean;
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

interface LibsqlStatement {
  readonly reader: boolean;
  all(parameters: readonly BoundValue[]): Record<string, unknown>[];
  run(parameters: readonly BoundValue[]): { readonly changes: number };
}

type Answer = (database: Libsql, request: Request) => Reply;
type Report = (thrown: unknown) => ReportedError;

/**
 * The program of a connection's thread: libsql is synchronous, and here it may wait for the disk
 * or scan a table without holding up anyone else. Each message of requests gets one of replies.
 *
 * A thread needs source text, and our code may be one bundled file: the text of the functions below
 * is what runs. So each must stand alone, without imports or names from outside.
 */
export const threadSource = `(${serveConnection.toString()})({
  threads: require("node:worker_threads"),
  load: require,
  createAnswer: ${createAnswer.toString()},
  report: ${reportError.toString()},
});`;

function serveConnection({
  threads,
  load,
  createAnswer,
  report,
}: {
  readonly threads: typeof WorkerThreads;
  readonly load: (path: string) => new (database: string) => Libsql;
  readonly createAnswer: (statementsMax: number, report: Report) => Answer;
  readonly report: Report;
}): void {
  const setup: ConnectionSetup = threads.workerData;
  const port = threads.parentPort;
  const answer = createAnswer(setup.statementsMax, report);

  const open = (): Libsql | undefined => {
    let failedAt: "driver" | "database" = "driver";
    try {
      const Database = load(setup.driver);
      failedAt = "database";
      const database = new Database(setup.path);
      for (const pragma of setup.pragmas) database.prepare(`pragma ${pragma}`).all([]);
      return database;
    } catch (thrown) {
      port?.postMessage({ failedAt, error: report(thrown) });
      return undefined;
    }
  };

  const database = open();
  if (database === undefined || port === null) return;
  port.on("message", (message: readonly Request[] | "close") => {
    if (message !== "close") {
      port.postMessage(message.map((request) => answer(database, request)));
      return;
    }
    database.close();
    port.close();
  });
  port.postMessage({});
}

function createAnswer(statementsMax: number, report: Report): Answer {
  const statements = new Map<string, LibsqlStatement>();

  // libsql frees a prepared statement only after the event loop turned, so a loop that prepares
  // anew each time grows; what is used often is kept instead, oldest use first out.
  const statementFor = (database: Libsql, sql: string): LibsqlStatement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsMax && oldest !== undefined) statements.delete(oldest);
    return statement;
  };

  return (database, request) => {
    const { id } = request;
    try {
      if (request.needsTransaction && !database.inTransaction) {
        throw new Error("the transaction it belongs to has ended");
      }
      // A prepared `begin` that found the database locked would stay in progress, and in the way of
      // all that follow, until it is collected as garbage.
      if (request.control) {
        database.exec(request.sql);
        return { id, rows: [], inTransaction: database.inTransaction };
      }
      const statement = statementFor(database, request.sql);
      if (statement.reader) {
        // all() leaves out the `_metadata` key that get() adds.
        const rows = statement.all(request.parameters);
        return { id, rows, inTransaction: database.inTransaction };
      }
      const { changes } = statement.run(request.parameters);
      return { id, rows: [], changes, inTransaction: database.inTransaction };
    } catch (thrown) {
      // A statement that failed may be stopped half-way; it is not used again.
      statements.delete(request.sql);
      return { id, rows: [], inTransaction: database.inTransaction, error: report(thrown) };
    }
  };
}

function reportError(thrown: unknown): ReportedError {
  if (!(thrown instanceof Error)) return { message: String(thrown), code: "" };
  return { message: thrown.message, code: "code" in thrown ? String(thrown.code) : "" };
}
