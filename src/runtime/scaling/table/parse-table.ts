import { didYouMean } from "../../../platform/config/index.ts";
import { provenances } from "../../../platform/words.ts";
import type { Run } from "./samples.ts";
import { tableError } from "./table-error.ts";

const runsMax = 100_000;
const devicesMax = 10_000_000;
const namesShownMax = 8;

/** Names of a column in lower case, and how many of its unit are one of ours. */
type Names = Readonly<Record<string, number>>;
/** The last names of each are those of `tessera scale --measured --json`. */
const columns = {
  devices: { devices: 1, gpus: 1, ranks: 1 },
  timeS: {
    ...{ time_s: 1, step_time_s: 1, seconds: 1, times: 1 },
    ...{ time_ms: 1e3, step_time_ms: 1e3 },
    ...{ time_us: 1e6, step_time_us: 1e6, stepus: 1e6 },
  },
  work: { work: 1, rows: 1 },
} as const satisfies Record<string, Names>;
const separators = [",", ";", "\t"] as const;

/**
 * The runs of a table: CSV with a head of `devices,time_s[,work]`, or JSON, a list of such records or
 * an object whose `points` or `runs` is one. Commas, semicolons or tabs stand between cells; times may
 * be `time_ms` or `time_us`, devices `gpus` or `ranks`; other columns are passed over.
 *
 * @throws TesseraError naming the row and what is wrong with it.
 */
export function parseTable(text: string, file: string): readonly Run[] {
  const records = /^\s*[[{]/.test(text) ? fromJson(text, file) : fromCsv(text, file);
  if (records.length === 0) throw tableError(file, "it has no runs");
  if (records.length > runsMax) throw tableError(file, `more than ${runsMax} runs`);
  return records.map(({ where, record }) => runOf(record, { where, file }));
}

interface Located {
  readonly where: string;
  readonly record: Readonly<Record<string, unknown>>;
}

function fromCsv(text: string, file: string): readonly Located[] {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"));
  const [head, ...rows] = lines;
  const first = head?.line ?? "";
  const separator = separators.find((one) => first.includes(one)) ?? ",";
  const cellsOf = (line: string) => line.split(separator).map((cell) => unquoted(cell.trim()));
  const names = cellsOf(first);
  checkHead(names, file);
  return rows.map(({ line, number }) => {
    const cells = cellsOf(line);
    if (cells.length !== names.length) {
      const problem = `line ${number} has ${cells.length} cells, and the head ${names.length}`;
      throw tableError(file, problem);
    }
    const entries = names.map((name, at) => [name, cells[at] === "" ? undefined : cells[at]]);
    return { where: `line ${number}`, record: Object.fromEntries(entries) };
  });
}

function unquoted(cell: string): string {
  return /^"[^"]*"$/.test(cell) ? cell.slice(1, -1).trim() : cell;
}

/** Work that is misspelt is not passed over: without it the answer would be another. */
function checkHead(names: readonly string[], file: string): void {
  const has = (column: Names) => names.some((name) => isOne(name, column));
  if (!has(columns.devices) || !has(columns.timeS)) {
    const shown = names.filter((name) => name !== "").slice(0, namesShownMax);
    const instead = shown.length === 0 ? "" : `, but ${shown.join(", ")}`;
    throw tableError(file, `its first line does not name the columns devices and time_s${instead}`);
  }
  const known = Object.values(columns);
  const others = names.filter((name) => !known.some((column) => isOne(name, column)));
  const misspelt = others.find((name) => didYouMean(name, Object.keys(columns.work)) !== "");
  if (misspelt !== undefined && !has(columns.work)) {
    throw tableError(file, `its column ${misspelt} is not known: was work meant?`);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw tableError(file, `two columns are called ${twice}`);
}

function isOne(name: string, column: Names): boolean {
  return Object.hasOwn(column, name.toLowerCase());
}

function fromJson(text: string, file: string): readonly Located[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw tableError(file, `it is not valid JSON: ${problem}`);
  }
  // A modelled report looks like a table of runs, and must not come back as a measured one.
  const made = provenances.find((one) => isRecord(value) && value["source"] === one);
  if (made !== undefined && made !== "measured") {
    throw tableError(file, `its times are ${made}, and not those of runs`);
  }
  const list = Array.isArray(value) ? value : listIn(value);
  if (list === undefined) throw tableError(file, "its JSON is no list of runs");
  return list.map((record: unknown, index) => {
    const where = `run ${index + 1}`;
    if (!isRecord(record)) throw tableError(file, `${where} is no record`);
    return { where, record };
  });
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value)) return undefined;
  const found = [value["points"], value["runs"]].find((one) => Array.isArray(one));
  return found as readonly unknown[] | undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function runOf(
  record: Located["record"],
  place: { readonly where: string; readonly file: string },
): Run {
  const number = (column: Names) => numberIn(record, column, place);
  const devices = number(columns.devices);
  if (devices === undefined || !Number.isInteger(devices) || devices > devicesMax) {
    throw tableError(place.file, `${place.where}: devices is no whole number from 1`);
  }
  const timeS = number(columns.timeS);
  if (timeS === undefined) throw tableError(place.file, `${place.where} has no time_s`);
  const work = number(columns.work);
  return { devices, timeS, ...(work === undefined ? {} : { work }) };
}

/** A number above 0 under one of a column's names, in our unit; undefined where none is there. */
function numberIn(
  record: Located["record"],
  column: Names,
  { where, file }: { readonly where: string; readonly file: string },
): number | undefined {
  const given = Object.entries(record).filter(
    ([name, cell]) => isOne(name, column) && cell !== undefined && cell !== null,
  );
  const [first, second] = given;
  if (first === undefined) return undefined;
  const [name, cell] = first;
  if (second !== undefined) {
    throw tableError(file, `${where}: ${name} and ${second[0]} say the same; give one of them`);
  }
  const isText = typeof cell === "string" && /^[+]?[\d.]+(?:e[+-]?\d+)?$/i.test(cell);
  const value = typeof cell === "number" || isText ? Number(cell) : Number.NaN;
  if (Number.isFinite(value) && value > 0) return value / (column[name.toLowerCase()] ?? 1);
  throw tableError(file, `${where}: ${name} is ${JSON.stringify(cell)}, and no number above 0`);
}
