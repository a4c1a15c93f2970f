import assert from "node:assert/strict";
import { byteUnits, decimalUnits } from "./bytes.ts";
import { inLargestUnit, numberPattern, shortNumber } from "./number.ts";
import { UnitError, type UnitOptions } from "./unit-error.ts";

/** What a rate counts: bytes (a bandwidth) or how often something happens. */
export type RateOf = "bytes" | "times";

export interface RateOptions {
  readonly of: RateOf;
}

const wanted = {
  bytes: {
    kind: "a bandwidth",
    accepted: "a size per time such as 100GB/s, 1.5GiB/s or 400Gbit/s (8 bits are a byte)",
  },
  times: { kind: "a rate", accepted: "a number per time such as 5/s, 3/min or 100/h" },
} as const;

const bitUnits: ReadonlyMap<string, number> = new Map([
  ["bit", 1 / 8],
  ["kbit", 1e3 / 8],
  ["Mbit", 1e6 / 8],
  ["Gbit", 1e9 / 8],
  ["Tbit", 1e12 / 8],
]);

const timesUnits: ReadonlyMap<string, number> = new Map([["", 1]]);
const bandwidthUnits: ReadonlyMap<string, number> = new Map([...byteUnits, ...bitUnits]);

const periodsS: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["min", 60],
  ["h", 3600],
  ["d", 86_400],
]);

const pattern = new RegExp(`^(${numberPattern})\\s*([A-Za-z]*)\\s*/\\s*([a-z]+)$`);

/**
 * A rate per second, from text: bytes per second for `100GB/s` or `400Gbit/s`, times per second for
 * `3/min`.
 *
 * @throws UnitError
 */
export function parseRate(given: string, options: RateOptions & UnitOptions): number {
  const [, number, unit = "", period = ""] = pattern.exec(given.trim()) ?? [];
  const units = options.of === "bytes" ? bandwidthUnits : timesUnits;
  const perPeriod = Number(number) * (units.get(unit) ?? Number.NaN);
  const perSecond = perPeriod / (periodsS.get(period) ?? Number.NaN);
  if (!Number.isFinite(perSecond)) throw new UnitError(given, wanted[options.of], options);
  return perSecond;
}

const perDay = ["d", 86_400] as const;
const rarePeriods = [["min", 60], ["h", 3600], perDay] as const;

/** A rate for people: `450 GB/s` in decimal units, `3/min` for what happens less than once a second. */
export function formatRate(perSecond: number, options: RateOptions): string {
  assert(perSecond >= 0 && Number.isFinite(perSecond), "a rate is finite and not negative");
  if (options.of === "bytes") return `${inLargestUnit(perSecond, decimalUnits)}/s`;
  if (perSecond === 0 || perSecond >= 1) return `${shortNumber(perSecond)}/s`;
  const [name, seconds] = rarePeriods.find(([, seconds]) => perSecond * seconds >= 1) ?? perDay;
  return `${shortNumber(perSecond * seconds)}/${name}`;
}
