import { z } from "zod";
import { messageOf } from "../../../platform/errors/index.ts";
import { firstIssue } from "../../collect/result-schema.ts";
import {
  type NcclTestsMeasure,
  type NcclTestsReport,
  type NcclTestsRow,
  rowsMax,
  versionOfCode,
} from "./report.ts";

/** A time that could not be taken is written as the text "nan". */
const number = z.union([z.number(), z.literal("nan").transform(() => Number.NaN)]);

const measureSchema = z.object({
  time: number.optional(),
  cpu_time: number.optional(),
  alg_bw: number,
  bus_bw: number,
  nwrong: number.nullable(),
});

const perIterationSchema = z.object({
  skipped_iterations: z.number().int().min(0),
  times_us: z.array(number).max(100_000),
});

const rowSchema = z.object({
  size: z.number().int().min(0),
  type: z.string(),
  redop: z.string(),
  out_of_place: measureSchema.nullish(),
  in_place: measureSchema.nullish(),
  out_of_place_per_iter: perIterationSchema.optional(),
  in_place_per_iter: perIterationSchema.optional(),
});

const reportSchema = z.object({
  nccl_version: z.number().int().optional(),
  args: z.array(z.string()).default([]),
  env: z.array(z.string()).default([]),
  config: z.object({
    nthreads: z.number().int().min(1),
    ngpus: z.number().int().min(1),
    devices: z.array(z.object({ hostname: z.string(), device_info: z.string() })).min(1),
  }),
  results: z.array(rowSchema).max(rowsMax),
  out_of_bounds: z.object({ count: z.number().int() }).optional(),
  errors: z.array(z.string()).default([]),
});

type ReportJson = z.output<typeof reportSchema>;
type RowJson = z.output<typeof rowSchema>;

/**
 * Reads the document that `-J FILE` of nccl-tests writes.
 *
 * @returns the report, or why the text is not such a document.
 */
export function readNcclTestsJson(text: string): NcclTestsReport | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `it is cut off or is no JSON (${messageOf(error)})` };
  }
  const { success, data, error } = reportSchema.safeParse(value);
  if (!success) return { problem: `it is no report of nccl-tests: ${firstIssue(error)}` };
  const { devices, nthreads, ngpus } = data.config;
  return {
    format: "json",
    program: data.args[0],
    ncclVersion: data.nccl_version === undefined ? undefined : versionOfCode(data.nccl_version),
    // One device is listed for each process, whatever it uses.
    worldSize: devices.length * nthreads * ngpus,
    hosts: [...new Set(devices.map(({ hostname }) => hostname))],
    gpus: [...new Set(devices.map(({ device_info: model }) => model))],
    rows: data.results.map(rowOf),
    outOfBounds: data.out_of_bounds?.count,
    variables: variablesOf(data.env),
    problems: problemsOf(data),
  };
}

function rowOf(row: RowJson): NcclTestsRow {
  return {
    sizeBytes: row.size,
    type: row.type,
    reduction: row.redop,
    outOfPlace: measureOf(row.out_of_place, row.out_of_place_per_iter),
    inPlace: measureOf(row.in_place, row.in_place_per_iter),
  };
}

function measureOf(
  measure: RowJson["in_place"],
  perIteration: RowJson["in_place_per_iter"],
): NcclTestsMeasure | undefined {
  if (measure === undefined || measure === null) return undefined;
  const found = {
    timeUs: measure.time ?? measure.cpu_time ?? Number.NaN,
    algbwGBps: measure.alg_bw,
    busbwGBps: measure.bus_bw,
    wrong: measure.nwrong ?? undefined,
  };
  const times = perIteration?.times_us.slice(perIteration.skipped_iterations) ?? [];
  return times.length === 0 ? found : { ...found, timesUs: times };
}

function problemsOf({ results, out_of_bounds: bounds, errors }: ReportJson): readonly string[] {
  const problems = errors
    .filter((text) => text.trim() !== "")
    .map((text) => `NCCL reported: ${text.slice(0, 300)}`);
  if (results.length === 0) problems.push("it has no results");
  if (bounds === undefined) {
    problems.push("it ends before `out_of_bounds`, so the run did not come to its end");
  }
  for (const { size, out_of_place: out, in_place: own } of results) {
    const measures = [out, own].filter((one) => one !== undefined && one !== null);
    if (measures.length === 0) problems.push(`the row of ${size} bytes has no times`);
    const numbers = measures.flatMap((one) => [one.time ?? one.cpu_time, one.alg_bw, one.bus_bw]);
    if (numbers.some((value) => value === undefined || !Number.isFinite(value) || value < 0)) {
      problems.push(`the row of ${size} bytes has a time or bandwidth that is no number`);
    }
  }
  return problems;
}

/** NCCL's own variables: the environment has secrets too. */
function variablesOf(env: readonly string[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const entry of env) {
    const at = entry.indexOf("=");
    if (at > 0 && entry.startsWith("NCCL_")) {
      variables[entry.slice(0, at)] = entry.slice(at + 1, at + 501);
    }
  }
  return variables;
}
