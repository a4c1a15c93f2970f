import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ExperimentRun } from "../../chaos/experiment/index.ts";
import type { TracingRunOptions } from "../../chaos/journal/index.ts";
import { writeError } from "../../platform/files/file-problem.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

export interface FinishedRun {
  readonly run: ExperimentRun;
  /** Null where the world kept none. */
  readonly trace: Parameters<NonNullable<TracingRunOptions["onTrace"]>>[0] | null;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

const summaryVariable = "GITHUB_STEP_SUMMARY";

/** Where the summary goes; undefined when none was asked for. @throws E_USAGE before anything runs. */
export function summaryPath({ options, io }: Invocation): string | undefined {
  if (options["summary"] !== true) return undefined;
  const path = io.env[summaryVariable];
  if (path !== undefined && path !== "") return resolve(io.cwd, path);
  const problem = `\`--summary\` appends to the file that ${summaryVariable} names, and that is not set.`;
  throw usageError("chaos run", problem);
}

/** The files that were asked for. @throws E_FILE_WRITE */
export async function writeFiles(invocation: Invocation, done: FinishedRun): Promise<void> {
  const { globals, io, options } = invocation;
  const { journal, html } = options;
  if (typeof journal === "string") {
    const { journalOf, writeJournal } = await import("../../chaos/journal/index.ts");
    await writeJournal(resolve(io.cwd, journal), journalOf(done.run, done.trace));
  }
  const wanted = [
    { path: html, format: "html" },
    { path: globals.junit, format: "junit" },
  ] as const;
  const summary = summaryPath(invocation);
  if (summary === undefined && wanted.every(({ path }) => path === undefined)) return;
  const [{ experimentReport, experimentSummary }, { createFileReporter }] = await Promise.all([
    import("../../chaos/report/index.ts"),
    import("../../platform/reporters/index.ts"),
  ]);
  const report = experimentReport(done.run, done);
  for (const { path, format } of wanted) {
    if (typeof path !== "string") continue;
    await createFileReporter({ path: resolve(io.cwd, path), format }).onEnd?.(report);
  }
  if (summary !== undefined) await append(summary, `${experimentSummary(done.run)}\n`);
}

/** Other steps of the build write to the same file. */
async function append(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text);
  } catch (error) {
    throw writeError(path, error);
  }
}
