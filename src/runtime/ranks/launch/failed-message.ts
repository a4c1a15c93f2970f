import { isTesseraError, messageOf } from "../../../platform/errors/index.ts";

/** What a rank says to its launcher about an error that ended its task. */
export function failedMessage(error: unknown) {
  const about = isTesseraError(error) ? { code: error.code, details: error.details } : {};
  return { type: "failed" as const, ...about, message: messageOf(error) };
}
