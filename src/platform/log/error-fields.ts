import { isTesseraError } from "../errors/index.ts";

/**
 * An error as a plain value for the log. An error reported on purpose shows its code, details and
 * hint; one that nobody foresaw shows its stack. The cause stays an error, to be turned in its turn.
 */
export function errorFields(error: Error): Record<string, unknown> {
  const known = isTesseraError(error)
    ? { code: error.code, message: error.message, hint: error.hint, details: error.details }
    : { ...Object.fromEntries(Object.entries(error)), message: error.message, stack: error.stack };
  return {
    type: error.name,
    ...known,
    // Set by retry().
    ...("attempts" in error ? { attempts: error.attempts } : {}),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  };
}
