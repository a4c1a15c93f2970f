import { usageError } from "../usage-error.ts";

const limitMax = 1_000_000;

/** How many rows to show. @throws E_USAGE */
export function readLimit(
  value: unknown,
  { command, otherwise }: { readonly command: string; readonly otherwise: number },
): number {
  if (value === undefined) return otherwise;
  const text = typeof value === "string" ? value : "";
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw usageError(command, `\`--limit ${text}\` is not a whole number from 1 to ${limitMax}.`);
}

/** The first of some rows, and a line that says how many there are more. */
export function cut<T>(
  rows: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly more: readonly string[] } {
  const left = rows.length - limit;
  return { shown: rows.slice(0, limit), more: left > 0 ? [`… and ${left} more`] : [] };
}
