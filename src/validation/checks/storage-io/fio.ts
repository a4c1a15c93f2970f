import { readdir, readFile, rm } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import type { ProbeContext } from "../../../platform/doctor/finding.ts";
import { askTool, findProgram, firstLine } from "../../../platform/doctor/program.ts";
import { runProcess } from "../../../platform/process/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { enginesIn } from "./fio-probe.ts";
import { type FioReport, parseFioReport } from "./fio-report.ts";
import { parseHistogramLog, type WindowFigures, windowsOf } from "./histogram-log.ts";
import type { FioStep } from "./plan.ts";

/** The fio of this machine. */
export interface Fio {
  readonly path: string;
  readonly version: string;
  readonly engines: readonly string[];
}

/** Which fio there is; undefined when there is none that runs. */
export async function findFio(context: ProbeContext): Promise<Fio | undefined> {
  const path = await findProgram("fio", context.env);
  if (path === undefined) return undefined;
  const asked = await askTool([path, "--version"], context);
  const listed = await askTool([path, "--enghelp"], context);
  if (!asked.ran || !listed.ran || asked.result.exitCode !== 0) return undefined;
  const version = firstLine(asked.result.stdout).replace(/^fio-/, "");
  return { path, version, engines: enginesIn(listed.result.stdout) };
}

/** What came of one start of fio. */
export interface FioRun {
  readonly report: FioReport;
  /** What the jobs did, window by window; empty when the step asks for totals only. */
  readonly windows: readonly WindowFigures[];
  /** What fio complained about, the first lines. */
  readonly complaints: readonly string[];
}

export interface RunFioOptions {
  readonly fio: string;
  readonly step: FioStep;
  /** On the mount: where the files are. */
  readonly folder: string;
  /** Not on the mount: where logs go. */
  readonly logFolder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The slowest disk that is waited for, and a start and an end that may take their time. */
const slowestBytesPerMs = 2000;
const allowanceMs = 120_000;
const complaintsMax = 5;
const outputBytesMax = 4 * 2 ** 20;

/**
 * Starts fio once and reads what it measured.
 *
 * @throws Error saying why there is nothing to read.
 */
export async function runFio(options: RunFioOptions): Promise<FioRun> {
  const { step, folder, logFolder, clock, signal, env } = options;
  const timeoutMs = Math.ceil(
    step.rampMs + step.runtimeMs + step.bytes / slowestBytesPerMs + allowanceMs,
  );
  const prefix = join(logFolder, step.pattern);
  const args = [
    `--name=${step.pattern}`,
    // Processes that lose one of theirs can wait for it for ever; threads end together.
    "--thread",
    ...step.args,
    "--output-format=json",
    "--percentile_list=50:95:99:99.9",
    ...(step.windowMs === undefined
      ? []
      : [`--write_hist_log=${prefix}`, `--log_hist_msec=${step.windowMs}`]),
  ];
  const result = await runProcess(options.fio, args, {
    clock,
    signal,
    timeoutMs,
    outputBytesMax,
    cwd: folder,
    // Nothing of ours is fio's business, least of all the run's token.
    envInherit: [],
    env: { PATH: env["PATH"], LD_LIBRARY_PATH: env["LD_LIBRARY_PATH"], LC_ALL: "C" },
  });
  if (result.timedOut) throw new Error(`fio did not end within ${timeoutMs} ms`);
  const complaints = result.stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, complaintsMax);
  const parsed = parseFioReport(result.stdout, step.direction);
  const said = complaints.length === 0 ? "" : `, saying ${complaints.join("; ")}`;
  const ended =
    result.signal === null ? `exit code ${result.exitCode}` : `ended by ${result.signal}`;
  if ("problem" in parsed) throw new Error(`${parsed.problem} (${ended}${said})`);
  const { report } = parsed;
  if (result.exitCode !== 0 && report.error === 0) throw new Error(`fio: ${ended}${said}`);
  if (report.error !== 0) return { report, windows: [], complaints };
  if (report.requests === 0) throw new Error(`fio has measured nothing${said}`);
  return { report, windows: await readWindows(options, report), complaints };
}

async function readWindows(
  { step, logFolder }: Pick<RunFioOptions, "step" | "logFolder">,
  report: FioReport,
): Promise<readonly WindowFigures[]> {
  const { windowMs } = step;
  if (windowMs === undefined) return [];
  const pattern = new RegExp(`^${step.pattern}_clat_hist\\.\\d+\\.log$`);
  const names = (await readdir(logFolder)).filter((name) => pattern.test(name));
  const jobs = await Promise.all(
    names.map(async (name) => parseHistogramLog(await readFile(join(logFolder, name), "utf8"))),
  );
  // The next round's must not be taken for this one's.
  await Promise.all(names.map((name) => rm(join(logFolder, name))));
  if (jobs.length !== step.jobs) {
    throw new Error(`fio wrote ${jobs.length} histogram logs for ${step.jobs} jobs`);
  }
  // On a starved machine nothing may complete before the time is up: then there is one sample.
  if (jobs.flat().length === 0) return [wholeOf(report)];
  const { requests, runtimeMs } = report;
  // What fio waits for after the last request, to have all on the disk, is no part of the rate.
  const spanMs = Math.min(runtimeMs, step.runtimeMs);
  const windows = windowsOf(jobs, { windowMs, spanMs, requests });
  if (windows.length === 0) throw new Error(`fio measured for ${runtimeMs} ms only`);
  return windows;
}

function wholeOf({ requestsPerSecond, latencyNs }: FioReport): WindowFigures {
  return { requestsPerSecond, p99Ns: latencyNs["99.000000"] };
}

/** The name of a system error's number: `EIO (5)`. */
export function nameOfError(error: number): string {
  const found = Object.entries(constants.errno).find(([, value]) => value === error);
  return found === undefined ? `error ${error}` : `${found[0]} (${error})`;
}
