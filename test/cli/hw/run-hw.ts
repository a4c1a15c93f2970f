import { PassThrough } from "node:stream";
import { commandTable } from "../../../src/cli/commands/index.ts";
import { run } from "../../../src/cli/run.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";

export interface HwOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, as somebody whose token is `user-token`. */
export async function runHw(
  argv: readonly string[],
  options: {
    readonly user?: string;
    readonly signal?: AbortSignal;
    readonly env?: Readonly<Record<string, string>>;
    readonly onOutput?: (text: string) => void;
  } = {},
): Promise<HwOutcome> {
  const texts = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr") => {
    const stream = new PassThrough();
    stream.on("data", (chunk: Buffer) => {
      texts[name] += chunk.toString();
      if (name === "stdout") options.onOutput?.(texts.stdout);
    });
    return stream;
  };
  const token =
    options.user === undefined ? {} : { TESSERA_FAULT_API_TOKEN: `${options.user}-token` };
  const code = await run(argv, {
    io: {
      stdout: collect("stdout"),
      stderr: collect("stderr"),
      env: { HOME: "/nonexistent", ...token, ...options.env },
      cwd: "/",
    },
    clock: createRealClock(),
    signal: options.signal ?? new AbortController().signal,
    table: commandTable,
  });
  // What was written in the last turn is read in the next.
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...texts };
}
