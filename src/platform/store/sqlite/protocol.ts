/** What a value may be on its way into SQLite. */
export type BoundValue = string | bigint | number | null;

/** What the thread of a connection is told when it starts. */
export interface ConnectionSetup {
  /** The absolute path of the libsql package's entry point. */
  readonly driver: string;
  readonly path: string;
  /** Run once, in order, before the first statement. */
  readonly pragmas: readonly string[];
  /** How many prepared statements are kept for reuse. */
  readonly statementsMax: number;
}

export interface Request {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
  /** Refuse to run outside a transaction. */
  readonly needsTransaction: boolean;
  /** It controls transactions, and has neither parameters nor rows. */
  readonly control: boolean;
}

/** An error as it crosses between threads. */
export interface ReportedError {
  readonly message: string;
  /** `SQLITE_BUSY`, `SQLITE_CONSTRAINT_UNIQUE`; empty when SQLite did not report it. */
  readonly code: string;
}

export interface Reply {
  readonly id: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows changed; absent for statements that return rows. */
  readonly changes?: number;
  /** Whether a transaction is open after the statement; SQLite ends one by itself on some errors. */
  readonly inTransaction: boolean;
  readonly error?: ReportedError;
}

/** The first message of a thread: ready, or what kept it from starting. */
export interface Started {
  readonly failedAt?: "driver" | "database";
  readonly error?: ReportedError;
}
