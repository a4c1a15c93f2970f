import assert from "node:assert/strict";
import { inLargestUnit, numberPattern } from "./number.ts";
import { UnitError, type UnitOptions } from "./unit-error.ts";

const wanted = {
  kind: "a duration",
  accepted: "a number with ms, s, m, h, d or w, such as 250ms, 30s, 1.5h or 1h30m",
};

const unitsMs: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

const partPattern = new RegExp(`(${numberPattern})\\s*([a-zµ]+)\\s*`, "y");
const textCharsMax = 100;

/**
 * A duration in milliseconds from text such as `250ms`, `30s`, `1.5h` or `1h30m`. Parts of a
 * combined duration go from large to small, each unit once. A bare number is refused, because
 * nobody can tell seconds from milliseconds by looking at it; only 0 needs no unit.
 *
 * @throws UnitError
 */
export function parseDurationMs(given: string | number, options: UnitOptions = {}): number {
  const text = String(given).trim();
  if (text === "0") return 0;
  if (text.length === 0 || text.length > textCharsMax) throw new UnitError(given, wanted, options);
  let totalMs = 0;
  let previousUnitMs = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length; at = partPattern.lastIndex) {
    partPattern.lastIndex = at;
    const part = partPattern.exec(text);
    const unitMs = unitsMs.get(part?.[2] ?? "");
    if (unitMs === undefined || unitMs >= previousUnitMs)
      throw new UnitError(given, wanted, options);
    totalMs += Number(part?.[1]) * unitMs;
    previousUnitMs = unitMs;
  }
  if (totalMs > Number.MAX_SAFE_INTEGER) throw new UnitError(given, wanted, options);
  return totalMs;
}

const smallUnits = [
  ["ns", 1e-6],
  ["µs", 1e-3],
  ["ms", 1],
  ["s", 1000],
] as const;

/** Pairs to print in, smallest first: the unit, the next smaller one, and where the next pair begins. */
const largePairs = [
  { unit: ["m", 60_000], next: ["s", 1000], belowMs: 3_600_000 },
  { unit: ["h", 3_600_000], next: ["m", 60_000], belowMs: 86_400_000 },
  { unit: ["d", 86_400_000], next: ["h", 3_600_000], belowMs: Number.POSITIVE_INFINITY },
] as const;

/**
 * A duration for people: `250 ms`, `1.5 s`, and from a minute on its two largest units, `1h 30m`.
 * `parseDurationMs` reads it back, within half of the smaller unit printed.
 */
export function formatDurationMs(durationMs: number): string {
  assert(durationMs >= 0 && Number.isFinite(durationMs), "a duration is finite and not negative");
  if (durationMs === 0) return "0 ms";
  if (durationMs < 59_950) return inLargestUnit(durationMs, smallUnits);
  for (const { unit, next, belowMs } of largePairs) {
    const [name, unitMs] = unit;
    const [nextName, nextMs] = next;
    // Rounded first, or 59 minutes and 59.9 seconds would print as "59m 60s".
    const roundedMs = Math.round(durationMs / nextMs) * nextMs;
    if (roundedMs >= belowMs) continue;
    const rest = Math.round((roundedMs % unitMs) / nextMs);
    const whole = `${Math.floor(roundedMs / unitMs)}${name}`;
    return rest === 0 ? whole : `${whole} ${rest}${nextName}`;
  }
  assert.fail("the last pair has no end");
}
