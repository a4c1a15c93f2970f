import type { BoundValue } from "./protocol.ts";

/**
 * A query's value in the form libsql binds well. It binds every number as a float, so whole
 * numbers go as bigint; and a boolean makes it abort the process, so nothing unknown gets through.
 *
 * @throws TypeError for values that no column of ours holds.
 */
export function toBound(value: unknown): BoundValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isFinite(value)) {
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
  throw new TypeError(`The store cannot keep ${describe(value)}.`);
}

function describe(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return `the number ${value}`;
  return value === undefined ? "undefined" : `a value of type ${typeof value}`;
}
