import { formatBytes, formatDurationMs } from "../../../platform/units/index.ts";

/** Longer texts are cut. */
const charsMax = 160;
/** Of a list or a table; with more rows only their number is shown. */
const rowsMax = 8;
const namesCharsMax = 100;

/** A fact for people: what it is, and its value on one line, or row by row. */
export interface ShortFact {
  readonly title: string;
  readonly value: string | readonly string[];
}

/**
 * The facts of a result as lines for people: values with their units, short lists and tables row by row,
 * and of anything longer how much there is.
 */
export function shortFacts(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const { title, value } = shortFact(name, fact);
    if (typeof value === "string") return [cut(`${title}: ${value}`)];
    return [`${title}:`, ...value.map((row) => cut(`- ${row}`))];
  });
}

/** One fact in the same words. */
export function shortFact(name: string, fact: unknown): ShortFact {
  const title = wordsOf(name) || name;
  if (!isNested(fact)) return { title, value: scalar(name, fact) };
  const rows = rowsOf(fact);
  const [only] = rows;
  if (only === undefined) return { title, value: "none" };
  if (rows.length === 1 && only[0] !== "" && isNested(only[1])) {
    return shortFact(`${title} ${only[0]}`, only[1]);
  }
  const line = inOneLine(fact);
  if (line !== undefined && line.length <= charsMax) return { title, value: line };
  const isTable = rows.length <= rowsMax && rows.every(([, row]) => isFlat(row));
  if (!isTable) return { title, value: countOf(fact, rows) };
  return { title, value: rows.map(([key, row]) => rowText(key, row)) };
}

type Row = readonly [key: string, value: unknown];

/** The parts of a nested value; those of a list have no names. */
function rowsOf(value: object): readonly Row[] {
  return Array.isArray(value)
    ? value.map((one): Row => ["", one])
    : Object.entries(value as Record<string, unknown>);
}

/** A nested value on one line; undefined when it is nested further than by a list. */
function inOneLine(value: object): string | undefined {
  const rows = rowsOf(value);
  const isFine = ([key, row]: Row) => !isNested(row) || (key !== "" && isListOfScalars(row));
  if (!rows.every(isFine)) return undefined;
  // Sentences read better on lines of their own.
  if (rows.some(([, row]) => typeof row === "string" && row.split(" ").length > 4)) {
    return rows.length === 1 && Array.isArray(value) ? scalar("", rows[0]?.[1]) : undefined;
  }
  return pairs(value);
}

function rowText(key: string, row: unknown): string {
  const text = isNested(row) ? pairs(row) : scalar(key, row);
  return key === "" ? text : `${key}: ${text}`;
}

/** `name process 0, index 0`; a list is its values alone. */
function pairs(value: object): string {
  const isList = Array.isArray(value);
  return rowsOf(value)
    .map(([key, one]) => {
      const text = isNested(one) ? `(${pairs(one)})` : scalar(key, one);
      return isList ? text : `${wordsOf(key)} ${text}`.trim();
    })
    .join(", ");
}

/** How much there is, and the names of all or of the first. */
function countOf(value: object, rows: readonly Row[]): string {
  const count = `${rows.length} ${rows.length === 1 ? "entry" : "entries"}`;
  if (Array.isArray(value)) return count;
  const names = rows.map(([key]) => key);
  const all = names.join(", ");
  return all.length <= namesCharsMax ? `${count}: ${all}` : `${count}, such as ${names[0]}`;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isListOfScalars(value: object): boolean {
  return Array.isArray(value) && !value.some(isNested);
}

/** A row of a table: no value in it has parts that have parts themselves. */
function isFlat(row: unknown): boolean {
  return !isNested(row) || rowsOf(row).every(([, value]) => !isNested(value));
}

const plain = (value: number) =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

/** Units that names end in, and how a value in them is written. */
const units: readonly (readonly [ending: RegExp, write: (value: number) => string])[] = [
  [/(?:^b|B)ytes$/, formatBytes],
  [/(?<=[a-z])Ms$/, formatDurationMs],
  [/(?<=[a-z])Us$/, (value) => `${plain(value)} us`],
  [/(?<=[a-z])GBps$/, (value) => `${plain(value)} GB/s`],
];

function scalar(name: string, value: unknown): string {
  if (typeof value !== "number") return String(value);
  const [, write] = units.find(([ending]) => ending.test(name)) ?? ["", plain];
  return write(value);
}

/**
 * `loadAverage` as `load average`, without the unit, which stands with the value; what is no name in the
 * program's own style stays as it is.
 */
function wordsOf(name: string): string {
  if (!/^[a-z][a-zA-Z\d]*$/.test(name)) return name;
  const bare = units.reduce((text, [ending]) => text.replace(ending, ""), name);
  return bare.replace(/[A-Z]+/g, (capitals) => ` ${capitals.toLowerCase()}`);
}

function cut(text: string): string {
  return text.length <= charsMax + 20 ? text : `${text.slice(0, charsMax)}…`;
}
