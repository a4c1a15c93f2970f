import { type ExitCode, exitCodes } from "../platform/errors/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { version } from "../version.ts";
import { asCalled, type CalledAs } from "./called-as.ts";
import { ClosedPipe, closedPipeExitCode } from "./closed-pipe.ts";
import { asksFor, parseCommandLine, type Request } from "./command-line.ts";
import { createInvocation } from "./create-invocation.ts";
import { helpWidth } from "./help-text.ts";
import type { CommandIo } from "./invocation.ts";
import { writeJson, writeLine } from "./output.ts";
import type { CommandTable } from "./program.ts";
import { reportError } from "./report-error.ts";
import { usageError } from "./usage-error.ts";

/** Everything outside that a command line touches. */
export interface World {
  readonly io: CommandIo;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly table: CommandTable;
  /** The name that the reader typed. @default "tessera" */
  readonly calledAs?: CalledAs;
}

/** Runs one command line to its end and returns the exit code. Never throws. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  const json = asksFor(argv, "--json");
  try {
    const request = parseCommandLine(argv, { table: world.table, width: helpWidth(world.io) });
    return await answer(request, { ...world, json });
  } catch (thrown) {
    const { aborted, reason } = world.signal;
    if (aborted && reason instanceof ClosedPipe) return closedPipeExitCode;
    // Many an operation says only that it was aborted; the signal knows why.
    const isAbort = aborted && thrown instanceof Error && thrown.name === "AbortError";
    const verbose = asksFor(argv, "--verbose");
    return reportError(isAbort ? reason : thrown, { ...world, json, verbose });
  }
}

async function answer(
  request: Request,
  world: World & { readonly json: boolean },
): Promise<ExitCode> {
  const { io, json, calledAs = "tessera" } = world;
  switch (request.kind) {
    case "version":
      if (json) writeJson(io.stdout, { version });
      else writeLine(io.stdout, version);
      return exitCodes.good;
    case "help":
      io.stdout.write(asCalled(request.text, calledAs));
      return exitCodes.good;
    case "incomplete":
      // A script whose variable is empty must not look as if it had done something.
      io.stderr.write(`${asCalled(request.help, calledAs)}\n`);
      throw usageError(request.command, "No command was given");
    case "run": {
      if (request.spec.reports === false && request.globals.junit !== undefined) {
        throw usageError(
          request.spec.name,
          "`--junit` needs a report, and this command makes none",
        );
      }
      const { run } = await request.spec.load();
      world.signal.throwIfAborted();
      return await run(createInvocation(request, world));
    }
  }
}
