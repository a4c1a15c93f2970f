import { hostname, release, type } from "node:os";
import { resolve } from "node:path";
import { type ExitCode, exitCodes, messageOf } from "../../platform/errors/index.ts";
import type { Report } from "../../platform/reporters/index.ts";
import type { Execution } from "../../validation/checks/index.ts";
import type { CheckPageAbout } from "../../validation/checks/report/index.ts";
import { version } from "../../version.ts";
import type { Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** What ran, by name, as far as it explains a result. */
export const versionsHere: Readonly<Record<string, string>> = {
  Tessera: version,
  Node: process.version,
  [type()]: release(),
};

/** Writes a page to the file that `--html` names, whole or not at all; nothing without it. @throws TesseraError E_FILE_WRITE */
export async function writePage({ io, options }: Invocation, page: () => Report): Promise<void> {
  const { html } = options;
  if (typeof html !== "string") return;
  const { createFileReporter } = await import("../../platform/reporters/index.ts");
  const reporter = createFileReporter({ path: resolve(io.cwd, html), format: "html" });
  await reporter.onEnd?.(page());
}

/** What a page of a run by hand is about, apart from what it finds out itself. */
export type CheckAbout = Omit<CheckPageAbout, "hostName" | "versions">;

/** The page of a run by hand, if one is wanted. */
export async function writeCheckPage(
  invocation: Invocation,
  execution: Execution,
  about: CheckAbout,
): Promise<void> {
  const { checkPage } = await import("../../validation/checks/report/index.ts");
  const whole = { ...about, hostName: hostname(), versions: versionsHere };
  await writePage(invocation, () => checkPage(execution, whole));
}

/** Writes reports of a run. That one cannot be written is an error, but never hides a fault that was found. */
export async function writeReports(
  { io }: Invocation,
  verdict: ExitCode,
  write: () => void | Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (verdict !== exitCodes.failed) throw error;
    writeLine(io.stderr, `a report is missing: ${messageOf(error)}`);
  }
}

/**
 * The page and the JUnit file of a run that broke off: nobody may take the want of a file for a good end. That
 * one cannot be written must not hide why the run ended.
 */
export async function leaveFilesOfBrokenRun(
  invocation: Invocation,
  execution: Execution,
  about: CheckAbout,
): Promise<void> {
  const { globals, io } = invocation;
  const complain = (error: unknown) => {
    writeLine(io.stderr, `a report is missing: ${messageOf(error)}`);
  };
  await writeCheckPage(invocation, execution, about).catch(complain);
  if (globals.junit === undefined) return;
  const [{ checkReport }, { createFileReporter }] = await Promise.all([
    import("../../validation/checks/report/index.ts"),
    import("../../platform/reporters/index.ts"),
  ]);
  const report = checkReport(execution, { ...about, hostName: hostname() });
  const reporter = createFileReporter({ path: resolve(io.cwd, globals.junit), format: "junit" });
  await Promise.resolve(reporter.onEnd?.(report)).catch(complain);
}
