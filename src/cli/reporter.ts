import { resolve } from "node:path";
import {
  createFileReporter,
  createMultiplexer,
  createProgressReporter,
  createTerminalReporter,
  type Reporter,
  renderJson,
} from "../platform/reporters/index.ts";
import { usesColor } from "./color.ts";
import type { Invocation } from "./invocation.ts";

/**
 * Where a command's progress and report go, as the global options say: a table or plain lines on
 * stdout, or JSON with `--json`; JUnit XML in a file with `--junit`. Bars go to stderr, and only
 * where it is a terminal.
 */
export function reporterFor(
  { globals, io, clock }: Invocation,
  options: {
    /** With `--json` the command prints a shape of its own instead of the report. @default false */
    readonly ownJson?: boolean;
  } = {},
): Required<Reporter> {
  const junit: Reporter[] =
    globals.junit === undefined
      ? []
      : [createFileReporter({ path: resolve(io.cwd, globals.junit), format: "junit" })];
  if (!globals.json) {
    const terminal = createTerminalReporter({
      out: io.stdout,
      progress: io.stderr,
      clock,
      env: io.env,
      color: usesColor(io.stdout, { globals, env: io.env }),
      quiet: globals.quiet ?? false,
      facts: globals.verbose ?? false,
    });
    return createMultiplexer([terminal, ...junit]);
  }
  const json: Reporter = options.ownJson
    ? {}
    : { onEnd: (report) => void io.stdout.write(renderJson(report)) };
  const showsBars = !globals.quiet && io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  const bars = showsBars ? [createProgressReporter({ stream: io.stderr, clock, env: io.env })] : [];
  // The file first: what reads stdout may rely on it.
  return createMultiplexer([...bars, ...junit, json]);
}
