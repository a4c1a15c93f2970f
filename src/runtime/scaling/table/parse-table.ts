import type { Run } from "./samples.ts";
import { tableError } from "./table-error.ts";

const runsMax = 100_000;
const devicesMax = 10_000_000;

/** Columns by every name they go by; the second names are those of `tessera scale --measured --json`. */
const columns = {
  devices: ["devices", "ranks"],
  timeS: ["time_s", "timeS"],
  timeUs: ["stepUs"],
  work: ["work", "rows"],
} as const;

/**
 * The runs of a table: CSV with a head of `devices,time_s[,work]`, or JSON, a list of such records or
 * an object whose `points` or `runs` is one.
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
  const names = head?.line.split(",").map((name) => name.trim()) ?? [];
  const known = (of: readonly string[]) => names.some((name) => of.includes(name));
  if (!known(columns.devices) || !known([...columns.timeS, ...columns.timeUs])) {
    throw tableError(file, "its first line does not name the columns devices and time_s");
  }
  return rows.map(({ line, number }) => {
    const cells = line.split(",").map((cell) => cell.trim());
    if (cells.length !== names.length) {
      const problem = `line ${number} has ${cells.length} cells, and the head ${names.length}`;
      throw tableError(file, problem);
    }
    const entries = names.map((name, at) => [name, cells[at] === "" ? undefined : cells[at]]);
    return { where: `line ${number}`, record: Object.fromEntries(entries) };
  });
}

function fromJson(text: string, file: string): readonly Located[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw tableError(file, `it is not valid JSON: ${problem}`);
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
  const number = (names: readonly string[]) => numberIn(record, names, place);
  const devices = number(columns.devices);
  if (devices === undefined || !Number.isInteger(devices) || devices > devicesMax) {
    throw tableError(place.file, `${place.where}: devices is no whole number from 1`);
  }
  const timeUs = number(columns.timeUs);
  const timeS = number(columns.timeS) ?? (timeUs === undefined ? undefined : timeUs / 1e6);
  if (timeS === undefined) throw tableError(place.file, `${place.where} has no time_s`);
  const work = number(columns.work);
  return { devices, timeS, ...(work === undefined ? {} : { work }) };
}

/** A number above 0 under one of the names; undefined where none is there. */
function numberIn(
  record: Located["record"],
  names: readonly string[],
  { where, file }: { readonly where: string; readonly file: string },
): number | undefined {
  const name = names.find((one) => record[one] !== undefined && record[one] !== null);
  if (name === undefined) return undefined;
  const given = record[name];
  const isText = typeof given === "string" && /^[+]?[\d.]+(?:e[+-]?\d+)?$/i.test(given);
  const value = typeof given === "number" || isText ? Number(given) : Number.NaN;
  if (Number.isFinite(value) && value > 0) return value;
  throw tableError(file, `${where}: ${name} is ${JSON.stringify(given)}, and no number above 0`);
}
