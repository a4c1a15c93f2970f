import { TesseraError } from "../../errors/index.ts";
import type { ReportedError } from "./protocol.ts";

/** An error of SQLite that says something about the statement, such as a broken constraint. */
export class SqliteError extends Error {
  override readonly name = "SqliteError";
  /** SQLite's own name for it: `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string;

  constructor(reported: ReportedError) {
    super(reported.message);
    this.code = reported.code;
  }
}

const keptHint = "Nothing of this write was kept, and nothing written before is lost.";

/**
 * What SQLite reported, as the error a user should see: trouble with the file becomes a
 * TesseraError with SQLite's words as cause, trouble with the statement stays a SqliteError.
 */
export function toStoreError(reported: ReportedError, store: string): Error {
  const cause = new SqliteError(reported);
  const family = /^SQLITE_[A-Z]+/.exec(reported.code)?.[0] ?? "";
  switch (family) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return new TesseraError(
        "E_STORE_BUSY",
        { store, problem: "another process kept it locked" },
        { cause },
      );
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
      return new TesseraError("E_STORE_CORRUPT", { store, problem: reported.message }, { cause });
    case "SQLITE_FULL":
      return unusable(store, "the disk is full", {
        cause,
        hint: `${keptHint} Free space on the disk, then try again.`,
      });
    case "SQLITE_IOERR":
      return unusable(store, `the disk reported an error (${reported.code})`, {
        cause,
        hint: `${keptHint} Look at the kernel log for the disk, then try again.`,
      });
    case "SQLITE_READONLY":
    case "SQLITE_PERM":
    case "SQLITE_AUTH":
      return unusable(store, "this user may not write the file or its folder", {
        cause,
        hint: `${keptHint} Give this user the right to write both.`,
      });
    case "SQLITE_CANTOPEN":
      return cannotOpen(store, cause);
    default:
      return cause;
  }
}

/** The error for a database that libsql could not open at all; it gives no code then. */
export function toOpenError(reported: ReportedError, store: string): Error {
  const error = toStoreError(reported, store);
  return error instanceof SqliteError ? cannotOpen(store, error) : error;
}

function cannotOpen(store: string, cause: SqliteError): TesseraError {
  return unusable(store, "the file cannot be opened", {
    cause,
    hint: "Check that its folder exists and that this user may write there.",
  });
}

function unusable(
  store: string,
  problem: string,
  options: { readonly cause: Error; readonly hint: string },
): TesseraError {
  return new TesseraError("E_STORE_UNUSABLE", { store, problem }, options);
}
