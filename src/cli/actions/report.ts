import { resolve } from "node:path";
import type { ExitCode } from "../../platform/errors/index.ts";
import type { Report, ReportFormat } from "../../platform/reporters/index.ts";
import { parseMoment, WindowError } from "../../validation/report/report-window.ts";
import { clusterEntry } from "../../validation/resolve-settings.ts";
import { usesColor } from "../color.ts";
import type { Action, Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

const formats: Readonly<Record<string, ReportFormat>> = {
  md: "markdown",
  html: "html",
  json: "json",
  junit: "junit",
};

/** `tessera report`: what the history says about a stretch of time. */
export const run: Action = async (invocation) => {
  try {
    return await report(invocation);
  } catch (error) {
    if (error instanceof WindowError) throw usageError("report", error.message);
    throw error;
  }
};

async function report(invocation: Invocation): Promise<ExitCode> {
  const { clock, io, options } = invocation;
  const format = formatOf(invocation);
  const since = parseMoment("--since", text(options["since"]) ?? "24h");
  const untilText = text(options["until"]);
  const until = untilText === undefined ? undefined : parseMoment("--until", untilText);
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const [{ values: config }, log, { openExistingStore }, { openHistory }, validation, words] =
    await Promise.all([
      invocation.config(),
      invocation.log(),
      import("../../platform/store/index.ts"),
      import("../../validation/history/index.ts"),
      import("../../validation/report/index.ts"),
      import("../../platform/words.ts"),
    ]);
  const cluster = text(options["cluster"]);
  // A name that does not exist is wrong whether or not there is a history.
  if (cluster !== undefined) clusterEntry(config, cluster);
  const store = await openExistingStore({ url: config.store.url, clock, log });
  let built: Report;
  try {
    const data = await validation.gatherReportData({
      config,
      store,
      history: openHistory(store),
      cluster,
      since,
      until,
      nowMs: startedAtMs,
    });
    const durationMs = clock.monotonicMs() - startedMs;
    built = validation.buildValidationReport(data, { startedAtMs, durationMs, store: store.shown });
  } finally {
    await store.close();
  }
  const output = text(options["output"]);
  await write(invocation, built, {
    format,
    path: output === undefined ? undefined : resolve(io.cwd, output),
  });
  const { verdictOf } = await import("../../platform/reporters/index.ts");
  return words.exitCodeOfVerdict(verdictOf(built));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Undefined for the terminal's own form. */
function formatOf({ options, globals }: Invocation): ReportFormat | undefined {
  const named = text(options["format"]);
  if (globals.json !== true) return named === undefined ? undefined : formats[named];
  if (named === undefined || named === "json") return "json";
  throw usageError("report", `--json and --format ${named} contradict each other`);
}

/** Good nodes on a terminal: enough to recognise them; the other formats have all. */
const goodItemsMax = 10;

async function write(
  invocation: Invocation,
  report: Report,
  to: { readonly format: ReportFormat | undefined; readonly path: string | undefined },
): Promise<void> {
  const { io, globals } = invocation;
  const { createFileReporter, renderReport, renderTable } = await import(
    "../../platform/reporters/index.ts"
  );
  const { writeFileAtomic } = await import("../../platform/files/index.ts");
  if (globals.junit !== undefined) {
    const path = resolve(io.cwd, globals.junit);
    await createFileReporter({ path, format: "junit" }).onEnd?.(report);
  }
  const { format, path } = to;
  const rendered =
    format === undefined
      ? renderTable(report, {
          width: Math.min(Math.max(io.stdout.columns ?? 100, 40), 140),
          color: path === undefined && usesColor(io.stdout, { globals, env: io.env }),
          ...(globals.verbose === true ? { facts: true } : { goodItemsMax }),
        })
      : renderReport(report, format);
  if (path === undefined) io.stdout.write(rendered);
  else await writeFileAtomic(path, rendered);
}
