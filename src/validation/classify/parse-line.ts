import type { CheckRun, FigureSamples } from "./types.ts";

/** What a line of a file of runs says about itself, and the run if there is one. */
export interface ParsedLine {
  readonly node: string | null;
  readonly check: string | null;
  /** As it was written. */
  readonly timestamp: string | number | null;
  /** The run; absent when the line is not one. */
  readonly run?: CheckRun;
  /** Why it is not, as the end of the sentence `Line 7 …`. */
  readonly problem?: string;
}

const nothing = { node: null, check: null, timestamp: null } as const;
const isoPattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;
/** Numbers below this are seconds since 1970, others milliseconds. */
const secondsMax = 1e11;

/** Reads one line of JSON Lines. Never throws: what is wrong with the line is in the result. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...nothing, problem: text.trim() === "" ? "is empty" : "is not JSON" };
  }
  if (!isRecord(value)) return { ...nothing, problem: "is not a JSON object" };
  const { node, check, timestamp, sku, cohort, completed, metrics } = value;
  const echo = {
    node: typeof node === "string" ? node : null,
    check: typeof check === "string" ? check : null,
    timestamp: typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : null,
  };
  const timestampMs = timeOf(timestamp);
  if (echo.node === null || node === "") return { ...echo, problem: "does not name its node" };
  if (echo.check === null || check === "") return { ...echo, problem: "does not name its check" };
  if (typeof sku !== "string" || sku === "") return { ...echo, problem: "does not name its SKU" };
  if (timestampMs === undefined) return { ...echo, problem: "has no time that can be read" };
  if (cohort !== undefined && cohort !== null && typeof cohort !== "string") {
    return { ...echo, problem: "has a cohort that is not a text" };
  }
  const figures = completed === true ? figuresOf(metrics) : new Map<string, FigureSamples>();
  if (typeof figures === "string") return { ...echo, problem: figures };
  const run: CheckRun = {
    node: echo.node,
    check: echo.check,
    sku,
    ...(typeof cohort === "string" ? { cohort } : {}),
    timestampMs,
    completed: completed === true,
    figures,
  };
  return { ...echo, run };
}

/** Milliseconds since 1970 of an ISO 8601 text (UTC when it names no zone) or a Unix time. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    return Math.abs(value) < secondsMax ? value * 1000 : value;
  }
  if (typeof value !== "string") return undefined;
  const match = isoPattern.exec(value.trim());
  if (match === null) return undefined;
  const isDateOnly = value.trim().length === 10;
  const zone = match.groups?.["zone"] === undefined && !isDateOnly ? "Z" : "";
  const timeMs = Date.parse(`${value.trim().replace(" ", "T")}${zone}`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** The figures of a run, or why they cannot be read. */
function figuresOf(metrics: unknown): ReadonlyMap<string, FigureSamples> | string {
  if (!isRecord(metrics)) return "has no metrics";
  const figures = new Map<string, FigureSamples>();
  for (const [name, metric] of Object.entries(metrics)) {
    if (!isRecord(metric)) return `has a metric ${shown(name)} that is not an object`;
    const { samples, higherIsBetter, unit } = metric;
    if (!Array.isArray(samples)) return `has a metric ${shown(name)} without samples`;
    if (typeof higherIsBetter !== "boolean") {
      return `does not say whether higher is better for ${shown(name)}`;
    }
    if (unit !== undefined && unit !== null && typeof unit !== "string") {
      return `has a unit of ${shown(name)} that is not a text`;
    }
    figures.set(name, {
      samples: Float64Array.from(samples, (sample: unknown) =>
        typeof sample === "number" ? sample : Number.NaN,
      ),
      higherIsBetter,
      ...(typeof unit === "string" && unit.trim() !== "" ? { unit } : {}),
    });
  }
  return figures;
}

/** A name from the file, short enough for a sentence. */
function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
