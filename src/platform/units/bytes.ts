import assert from "node:assert/strict";
import { inLargestUnit, numberPattern } from "./number.ts";
import { UnitError, type UnitOptions } from "./unit-error.ts";

const wanted = {
  kind: "a size in bytes",
  accepted:
    "a number with B, kB, MB, GB, TB (1000) or KiB, MiB, GiB, TiB (1024), such as 512KiB or 1.5GB",
};

const binaryUnits = [
  ["B", 1],
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
  ["TiB", 2 ** 40],
  ["PiB", 2 ** 50],
] as const;

/** Decimal units of bytes, as disks, networks and memory buses are rated in. */
export const decimalUnits = [
  ["B", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["TB", 1e12],
  ["PB", 1e15],
] as const;

/** Every unit that is read. `Ki`, `Mi`, ... are the Kubernetes way to write KiB, MiB, .... */
export const byteUnits: ReadonlyMap<string, number> = new Map<string, number>([
  ...decimalUnits,
  ["KB", 1e3],
  ...binaryUnits,
  ...binaryUnits.slice(1).map(([name, bytes]) => [name.slice(0, 2), bytes] as const),
]);

const pattern = new RegExp(`^(${numberPattern})\\s*([A-Za-z]*)$`);

/**
 * A size in whole bytes from text such as `512KiB`, `1.5GB`, `64Mi` or `4096`; a plain number is
 * bytes. Fractions of a byte are rounded. Case matters, and single letters (`1M`) are refused: they
 * mean 1000 to some programs and 1024 to others.
 *
 * @throws UnitError for anything else, also below 0 and above 2^53 - 1.
 */
export function parseBytes(given: string | number, options: UnitOptions = {}): number {
  if (typeof given === "number") {
    if (!Number.isSafeInteger(given) || given < 0) throw new UnitError(given, wanted, options);
    return given;
  }
  const [, number, unit] = pattern.exec(given.trim()) ?? [];
  const unitBytes = unit === "" ? 1 : byteUnits.get(unit ?? "");
  const sizeBytes = Math.round(Number(number) * (unitBytes ?? Number.NaN));
  if (!Number.isSafeInteger(sizeBytes)) throw new UnitError(given, wanted, options);
  return sizeBytes;
}

/** A size for people, in binary units with up to three digits: `1.5 KiB`, `64 MiB`. */
export function formatBytes(sizeBytes: number): string {
  assert(sizeBytes >= 0 && Number.isFinite(sizeBytes), "a size is finite and not negative");
  return inLargestUnit(sizeBytes, binaryUnits);
}
