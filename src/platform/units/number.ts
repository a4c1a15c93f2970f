import assert from "node:assert/strict";

/** A number as people write it in front of a unit: digits, perhaps a fraction; no sign, no exponent. */
export const numberPattern = String.raw`\d+(?:\.\d+)?|\.\d+`;

/** A number with three significant digits or all digits of its whole part, without useless zeros. */
export function shortNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}

/**
 * A value in the largest unit that keeps it at least 1. A value that would round up to a full next
 * unit moves there: 1023.99 KiB is printed as 1 MiB.
 *
 * @param units in ascending order of size; the first is the smallest that is used.
 */
export function inLargestUnit(
  value: number,
  units: readonly (readonly [string, number])[],
): string {
  const rounded = (size: number) => Number(shortNumber(value / size)) * size;
  const chosen = units.findLast(
    ([, size], at) => at === 0 || rounded(units[at - 1]?.[1] ?? size) >= size,
  );
  assert(chosen !== undefined, "there is a smallest unit");
  const [name, size] = chosen;
  return `${shortNumber(value / size)} ${name}`;
}
