import { formatError, formatStack, toTesseraError } from "../platform/errors/index.ts";
// Not through the folder's index, which loads the logger with it.
import { redact } from "../platform/log/redact-text.ts";
import { redactValue } from "../platform/log/redact-value.ts";
import { asCalled, type CalledAs } from "./called-as.ts";
import type { CommandIo } from "./invocation.ts";
import { writeLine } from "./output.ts";

/**
 * Reports what went wrong and returns the exit code: a paragraph on stderr for people and, with
 * `--json`, one line on stdout for programs. The stack only with `--verbose`. Secrets are masked.
 */
export function reportError(
  thrown: unknown,
  options: {
    readonly io: Pick<CommandIo, "stdout" | "stderr">;
    readonly json: boolean;
    readonly verbose: boolean;
    /** @default "tessera" */
    readonly calledAs?: CalledAs;
  },
): number {
  const error = toTesseraError(thrown);
  const { io } = options;
  if (options.json) {
    const { code, message, hint, details } = error;
    const body = redactValue({ error: { code, message, hint, details } });
    writeLine(io.stdout, JSON.stringify(body));
  }
  writeLine(io.stderr, redact(asCalled(formatError(error), options.calledAs ?? "tessera")));
  if (options.verbose) writeLine(io.stderr, redact(formatStack(error)));
  return error.exitCode;
}
