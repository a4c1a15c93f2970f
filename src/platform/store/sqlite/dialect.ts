import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Answer } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { TransactionMember } from "./group-members.ts";
import type { ReaderPool } from "./reader-pool.ts";

export interface SqlitePaths {
  readonly writer: GroupCommit;
  readonly readers: Pick<ReaderPool, "read">;
}

/** Kysely on our writer and readers. The store owns both and closes them itself. */
export function libsqlDialect(paths: SqlitePaths): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new LibsqlDriver(paths),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class LibsqlDriver implements Driver {
  readonly #paths: SqlitePaths;

  constructor(paths: SqlitePaths) {
    this.#paths = paths;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LibsqlConnection> {
    return new LibsqlConnection(this.#paths);
  }

  async beginTransaction(connection: LibsqlConnection): Promise<void> {
    connection.transaction = await this.#paths.writer.begin();
  }

  async commitTransaction(connection: LibsqlConnection): Promise<void> {
    await connection.transaction?.commit();
  }

  async rollbackTransaction(connection: LibsqlConnection): Promise<void> {
    await connection.transaction?.rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** Sends a query where it belongs: to the transaction, else to a reader, else to the writer. */
class LibsqlConnection implements DatabaseConnection {
  readonly #paths: SqlitePaths;
  transaction: TransactionMember | undefined;

  constructor(paths: SqlitePaths) {
    this.#paths = paths;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#execute(query);
    return {
      rows: answer.rows as Row[],
      ...(answer.changes === undefined ? {} : { numAffectedRows: BigInt(answer.changes) }),
    };
  }

  // Rows cross between threads whole, so a stream is its only part.
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  #execute(query: CompiledQuery): Promise<Answer> {
    const statement = { sql: query.sql, parameters: query.parameters };
    if (this.transaction !== undefined) return this.transaction.execute(statement);
    if (onlyReads(query)) return this.#paths.readers.read(statement);
    return this.#paths.writer.write(statement);
  }
}

/** Readers refuse to write, so a wrong guess here fails; it cannot lose anything. */
function onlyReads(query: CompiledQuery): boolean {
  if (query.query.kind === "SelectQueryNode") return true;
  return query.query.kind === "RawNode" && /^\s*(select|values|explain|pragma)\b/i.test(query.sql);
}
