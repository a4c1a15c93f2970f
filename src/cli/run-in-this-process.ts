import { exitCodes, messageOf, TesseraError } from "../platform/errors/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { createRealClock } from "../platform/time/real-clock.ts";
import { calledAs } from "./called-as.ts";
import { ClosedPipe } from "./closed-pipe.ts";
import { asksFor } from "./command-line.ts";
import type { CommandTable } from "./program.ts";
import { reportError } from "./report-error.ts";
import { run } from "./run.ts";

/** Signals closer together than this are one press of Ctrl-C. */
const samePressMs = 500;

/** Runs this process's command line and ends the process when its output has been written. */
export async function runInThisProcess(table: CommandTable): Promise<never> {
  const argv = process.argv.slice(2);
  const { stdout, stderr } = process;
  const name = calledAs(process.argv[1]);
  const stop = new AbortController();
  const failed = (thrown: unknown): never => {
    const json = asksFor(argv, "--json");
    const verbose = asksFor(argv, "--verbose");
    process.exit(reportError(thrown, { io: { stdout, stderr }, json, verbose, calledAs: name }));
  };
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  const clock = createRealClock();
  abortOnSignals(stop, clock);
  watchOutput(stop, failed);
  const io = { stdout, stderr, env: process.env, cwd: process.cwd() };
  const exitCode =
    name === "kubectl completion"
      ? await answerKubectl(argv, table)
      : await run(argv, { io, clock, signal: stop.signal, table, calledAs: name });
  await Promise.all([flushed(stdout), flushed(stderr)]);
  process.exit(exitCode);
}

/** What may follow on the command line, for kubectl. */
async function answerKubectl(words: readonly string[], table: CommandTable): Promise<number> {
  const [{ kubectlCompletion }, { completionNodes }] = await Promise.all([
    import("./completion/kubectl.ts"),
    import("./completion/model.ts"),
  ]);
  process.stdout.write(kubectlCompletion(completionNodes(table), words));
  return exitCodes.good;
}

/** The first signal asks the command to stop; a second press of Ctrl-C does not wait for it. */
function abortOnSignals(stop: AbortController, clock: Clock): void {
  let pressedMs = Number.NEGATIVE_INFINITY;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // Under npm and npx one press arrives twice: from the terminal, and passed on by npm.
      if (clock.monotonicMs() - pressedMs < samePressMs) return;
      pressedMs = clock.monotonicMs();
      if (stop.signal.aborted) dieInterrupted();
      stop.abort(new TesseraError("E_INTERRUPTED", { signal }));
    });
  }
}

/**
 * Ends the process now. An ordinary exit waits for reads that may never return (a hung network
 * file system), so once the exit handlers have run the default action of SIGINT takes over; to a
 * shell both are exit code 130.
 */
function dieInterrupted(): never {
  process.on("exit", () => {
    process.removeAllListeners("SIGINT");
    process.kill(process.pid, "SIGINT");
  });
  process.exit(exitCodes.interrupted);
}

/**
 * A reader that has seen enough (`| head`) stops the command without a word; output that cannot be
 * stored (a full disk) is a failure.
 */
function watchOutput(stop: AbortController, failed: (thrown: unknown) => never): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") {
      stop.abort(new ClosedPipe());
      return;
    }
    const details = { path: "stdout", problem: messageOf(error) };
    failed(new TesseraError("E_FILE_WRITE", details, { hint: "The output is not complete." }));
  });
  // Nowhere is left to complain to.
  process.stderr.on("error", () => undefined);
}

function flushed(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
