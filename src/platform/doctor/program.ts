import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { type ProcessResult, ProcessStartError, runProcess } from "../process/index.ts";
import type { ProbeContext } from "./finding.ts";

// Tools of the administrator are often not on an ordinary user's PATH.
const foldersOfRoot = ["/usr/local/sbin", "/usr/sbin", "/sbin"];
const timeoutMsDefault = 10_000;
const outputBytesMax = 64 * 1024;

/** Where a program is: on the PATH, or in the folders of system tools; undefined when nowhere. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  for (const folder of new Set([...folders, ...foldersOfRoot])) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export interface ToolOptions {
  /** @default 10 000 */
  readonly timeoutMs?: number;
  readonly input?: string;
}

/** What a tool said, or why it said nothing. */
export type ToolAnswer =
  | { readonly ran: true; readonly result: ProcessResult }
  | { readonly ran: false; readonly problem: string };

/** Runs a tool for a probe: bounded in time and output, in English, stopped with the probe. */
export async function askTool(
  command: readonly [file: string, ...args: string[]],
  context: ProbeContext,
  options: ToolOptions = {},
): Promise<ToolAnswer> {
  const [file, ...args] = command;
  try {
    const result = await runProcess(file, args, {
      clock: context.clock,
      signal: context.signal,
      timeoutMs: options.timeoutMs ?? timeoutMsDefault,
      outputBytesMax,
      env: { ...context.env, LC_ALL: "C" },
      ...(options.input === undefined ? {} : { input: options.input }),
    });
    return { ran: true, result };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ProcessStartError)) throw error;
    return { ran: false, problem: error.message };
  }
}

/** True when the tool ended by itself and well. */
export function succeeded(answer: ToolAnswer): boolean {
  return answer.ran && answer.result.exitCode === 0 && !answer.result.timedOut;
}

/** What went wrong with a tool, in one phrase: the last thing it complained about. */
export function problemOf(answer: ToolAnswer): string {
  if (!answer.ran) return answer.problem;
  const { timedOut, stderr, stdout, exitCode, signal } = answer.result;
  if (timedOut) return "it did not end in time";
  const said = lastLine(stderr) || lastLine(stdout);
  const ended = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  return said === "" ? ended : `${said} (${ended})`;
}

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.trim() ?? "";
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
