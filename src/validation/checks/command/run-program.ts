import { TesseraError } from "../../../platform/errors/index.ts";
import { ProcessStartError, startProcess } from "../../../platform/process/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import type { CheckContext } from "../check.ts";

/** A last line of 8 MiB is the longest a result may be. */
const lineCharsMax = 8 * 2 ** 20;
const textShownMax = 300;

export interface ProgramOptions {
  /** The name of the check, for errors. */
  readonly check: string;
  /** The program and its arguments, as they are. */
  readonly command: readonly string[];
  /** What it finds in TESSERA_CHECK_OPTIONS, beside the profile. */
  readonly options: JsonObject;
  readonly context: Pick<CheckContext<unknown>, "clock" | "signal" | "profile" | "tempDir" | "log">;
}

/**
 * Runs a user's program in an empty folder; its last line on stdout is its result, as JSON, and all
 * other lines go to the run's log.
 *
 * @throws TesseraError E_CHECK_FAILED when it cannot be started, fails, or says no JSON.
 */
export async function runProgram({
  check,
  command,
  options,
  context,
}: ProgramOptions): Promise<unknown> {
  const { clock, signal, profile, tempDir, log } = context;
  const [file = "", ...args] = command;
  const failed = (problem: string, cause?: unknown) => programFailed(check, problem, cause);
  // The last line is the result, known as such only when no other follows.
  let last = "";
  let complaint = "";
  const running = await startProcess(file, args, {
    clock,
    signal,
    lineCharsMax,
    cwd: tempDir,
    env: {
      TESSERA_CHECK_OPTIONS: JSON.stringify({ ...options, profile }),
      // A check measures. It hands in nothing itself, and controls nothing.
      TESSERA_RUN_ID: undefined,
      TESSERA_RUN_TOKEN: undefined,
      TESSERA_TOKEN: undefined,
    },
    onLine: (line, stream) => {
      if (line.trim() === "") return;
      if (stream === "stderr") {
        complaint = line;
        log(line);
        return;
      }
      if (last !== "") log(last);
      last = line;
    },
  }).catch((error: unknown) => {
    if (error instanceof ProcessStartError) throw failed(error.message, error);
    throw error;
  });
  const exit = await running.exited;
  signal.throwIfAborted();
  if (exit.exitCode !== 0) {
    if (last !== "") log(last);
    const how = exit.signal === null ? `exit code ${exit.exitCode}` : `ended by ${exit.signal}`;
    const said = shown(complaint || last);
    throw failed(said === "" ? `${file}: ${how}` : `${file}: ${how}, saying ${said}`);
  }
  return readLine(last, failed);
}

export function programFailed(check: string, problem: string, cause?: unknown): TesseraError {
  return new TesseraError("E_CHECK_FAILED", { check, problem }, { cause });
}

function readLine(line: string, failed: (problem: string) => TesseraError): unknown {
  if (line === "") throw failed("it wrote nothing to stdout, and its last line is its result");
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    throw failed(`the last line it wrote to stdout is not JSON: ${shown(line)}`);
  }
}

function shown(text: string): string {
  return text.length > textShownMax ? `${text.slice(0, textShownMax)}…` : text;
}
