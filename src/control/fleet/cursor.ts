import { TesseraError } from "../../platform/errors/index.ts";
import { pathOfNul } from "../../platform/http/index.ts";

/** Where a list goes on, as text that says nothing to those who pass it on. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts), "utf8").toString("base64url");
}

/**
 * What a cursor stands for; undefined for the first page.
 *
 * @throws E_REQUEST_INVALID for one that no answer gave.
 */
export function decodeCursor(
  cursor: string | undefined,
  route: string,
): readonly [string, string] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length === 2) {
      const [first, second]: readonly unknown[] = parts;
      // What a query may not hold in the clear it may not hold in code either: PostgreSQL takes no NUL.
      const isText = typeof first === "string" && typeof second === "string";
      if (isText && pathOfNul(parts) === undefined) return [first, second];
    }
  } catch {
    // Answered below, as everything that is no cursor.
  }
  throw notGiven(route);
}

/** A number in a cursor. @throws E_REQUEST_INVALID for a text that is none. */
export function wholeNumber(text: string, route: string): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value)) return value;
  throw notGiven(route);
}

function notGiven(route: string): TesseraError {
  const problem = "`cursor` is not one that an answer gave.";
  return new TesseraError("E_REQUEST_INVALID", { part: "query", problem, route });
}
