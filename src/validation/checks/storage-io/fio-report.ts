import { z } from "zod";

const latency = z.looseObject({
  mean: z.number(),
  max: z.number(),
  percentile: z.record(z.string(), z.number()).optional(),
});

const direction = z.looseObject({
  io_bytes: z.number().min(0),
  bw_bytes: z.number().min(0),
  iops: z.number().min(0),
  total_ios: z.number().min(0),
  short_ios: z.number().min(0),
  drop_ios: z.number().min(0),
  runtime: z.number().min(0),
  clat_ns: latency,
});

const reportSchema = z.looseObject({
  "fio version": z.string(),
  jobs: z
    .array(
      z.looseObject({
        jobname: z.string(),
        error: z.int(),
        read: direction,
        write: direction,
      }),
    )
    .length(1, { error: "has not the one group that was asked for" }),
});

/** What fio says about one start, one direction of it. */
export interface FioReport {
  readonly version: string;
  /** The number of the system's error that ended it; 0 when there was none. */
  readonly error: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Requests that moved less than they should, or nothing. */
  readonly shortRequests: number;
  readonly runtimeMs: number;
  readonly latencyMeanNs: number;
  readonly latencyMaxNs: number;
  /** Latency of completion by percentile, as fio names them: `99.000000`. */
  readonly latencyNs: Readonly<Record<string, number>>;
}

/** The report in what fio wrote, or why there is none. */
export type ParsedReport = { readonly report: FioReport } | { readonly problem: string };

/** Reads what `fio --output-format=json` wrote; notes may stand before and after the object. */
export function parseFioReport(text: string, which: "read" | "write"): ParsedReport {
  const from = /^\{/m.exec(text)?.index;
  const to = text.lastIndexOf("\n}");
  if (from === undefined || to < from) return { problem: "fio wrote no report" };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to + 2));
  } catch {
    return { problem: "fio's report is not JSON" };
  }
  const parsed = reportSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") ?? "";
    return { problem: `fio's report is not as it should be: ${where}: ${issue?.message}` };
  }
  const [job] = parsed.data.jobs;
  if (job === undefined) return { problem: "fio's report has no job" };
  const found = job[which];
  return {
    report: {
      version: parsed.data["fio version"].replace(/^fio-/, ""),
      error: job.error,
      bytes: found.io_bytes,
      bytesPerSecond: found.bw_bytes,
      requests: found.total_ios,
      requestsPerSecond: found.iops,
      shortRequests: found.short_ios + found.drop_ios,
      runtimeMs: found.runtime,
      latencyMeanNs: found.clat_ns.mean,
      latencyMaxNs: found.clat_ns.max,
      latencyNs: found.clat_ns.percentile ?? {},
    },
  };
}
