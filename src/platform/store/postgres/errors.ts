import { messageOf, TesseraError } from "../../errors/index.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const conflictCodes = ["40001", "40P01"];
const busyCodes = ["55P03", "53300", "57014", "25P03", "25P04"];
const unreachableClasses = ["08", "28", "3D", "53", "57", "58", "F0", "XX"];
// The pool's own error has no code.
const poolTimeout = "timeout exceeded when trying to connect";
const readOnlyCode = "25006";

/** True for a transaction that lost against another and may simply run again. */
export function isConflict(error: unknown): boolean {
  return conflictCodes.includes(codeOf(error));
}

/**
 * What pg threw, as the error a user should see: trouble with the server or the way to it becomes
 * a TesseraError, trouble with the statement stays what it is.
 */
export function toStoreError(thrown: unknown, store: string): unknown {
  const code = codeOf(thrown);
  const problem = firstLine(messageOf(firstOf(thrown))) || code;
  if (busyCodes.includes(code) || problem.startsWith(poolTimeout)) {
    return new TesseraError("E_STORE_BUSY", { store, problem }, { cause: thrown });
  }
  const fromServer = /^[0-9A-Z]{5}$/.test(code) && thrown instanceof Error && "severity" in thrown;
  const unreachable = fromServer
    ? code === readOnlyCode || unreachableClasses.includes(code.slice(0, 2))
    : isNetworkError(code, problem);
  if (!unreachable) return thrown;
  return new TesseraError(
    "E_STORE_UNUSABLE",
    { store, problem },
    { cause: thrown, hint: hintFor(code) },
  );
}

function isNetworkError(code: string, problem: string): boolean {
  return /^E[A-Z_]+$/.test(code) || /connection|terminated|SSL|not queryable/i.test(problem);
}

function hintFor(code: string): string {
  if (code.startsWith("28"))
    return "Check the user and password: PGPASSWORD, or TESSERA_STORE_URL.";
  if (code.startsWith("3D")) return "Create the database first: createdb NAME.";
  if (code.startsWith("53"))
    return "Give the server what it ran out of; nothing written before is lost.";
  return "Check that the server runs and can be reached from here; nothing written before is lost.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A host with several addresses fails once for each; the first says enough. */
function firstOf(thrown: unknown): unknown {
  return thrown instanceof AggregateError ? thrown.errors[0] : thrown;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() ?? "";
}
