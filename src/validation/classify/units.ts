/** A unit as a multiple of its dimension's base. */
interface KnownUnit {
  readonly dimension: string;
  readonly factor: number;
}

const prefixes: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};
const seconds: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-9],
  ["us", 1e-6],
  ["µs", 1e-6],
  ["μs", 1e-6],
  ["usec", 1e-6],
  ["ms", 1e-3],
  ["msec", 1e-3],
  ["s", 1],
  ["sec", 1],
  ["min", 60],
]);

const dataRate =
  /^(?<prefix>[kKMGTP]i?|)(?<what>B|b|bit|byte|bytes|bits)(?:\/s|\/sec|ps|\/second)$/;
const operations = /^(?<prefix>[kKMGTP]?)FLOP(?:s|S|\/s|ps|S\/s)$/;
const frequency = /^(?<prefix>[kKMG]?)Hz$/;
const countRate = /^(?<prefix>[kKM]?)(?<what>IOPS|iops|ops\/s|tokens\/s|samples\/s|images\/s|\/s)$/;

/** What is known about a unit; undefined for one that cannot be converted. Case matters: b is a bit. */
function knownUnit(unit: string): KnownUnit | undefined {
  const text = unit.trim();
  const time = seconds.get(text);
  if (time !== undefined) return { dimension: "time", factor: time };
  const rate = dataRate.exec(text)?.groups;
  if (rate !== undefined) {
    const bits = rate["what"] === "b" || rate["what"]?.startsWith("bit") === true;
    return { dimension: "data rate", factor: prefixFactor(rate["prefix"]) / (bits ? 8 : 1) };
  }
  if (text === "%") return { dimension: "share", factor: 0.01 };
  if (text === "1" || text === "ratio") return { dimension: "share", factor: 1 };
  if (text === "W" || text === "kW") return { dimension: "power", factor: text === "W" ? 1 : 1e3 };
  const patterns = [
    ["operations", operations],
    ["frequency", frequency],
    ["count rate", countRate],
  ] as const;
  for (const [dimension, pattern] of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const what = groups["what"] === undefined ? "" : ` of ${groups["what"].toLowerCase()}`;
    return { dimension: `${dimension}${what}`, factor: prefixFactor(groups["prefix"]) };
  }
  return undefined;
}

function prefixFactor(prefix = ""): number {
  return prefixes[prefix] ?? Number.NaN;
}

/** True for a unit that can be converted to others of its kind. */
export function isKnownUnit(unit: string): boolean {
  return knownUnit(unit) !== undefined;
}

/**
 * By what a value in one unit is multiplied to be in another: 1000 from GB/s to MB/s, 0.125 from
 * Gb/s to GB/s. Undefined when the units are not known or do not measure the same thing.
 */
export function conversionFactor(from: string, to: string): number | undefined {
  if (from.trim() === to.trim()) return 1;
  const source = knownUnit(from);
  const target = knownUnit(to);
  if (source === undefined || target === undefined) return undefined;
  return source.dimension === target.dimension ? source.factor / target.factor : undefined;
}
