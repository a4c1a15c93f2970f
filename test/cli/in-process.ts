import { PassThrough } from "node:stream";
import type { CommandSpec } from "../../src/cli/command-spec.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import type { Invocation } from "../../src/cli/invocation.ts";
import type { CommandTable } from "../../src/cli/program.ts";
import { run } from "../../src/cli/run.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, without a home, a terminal or an environment. */
export async function runHere(
  argv: readonly string[],
  options: { readonly table?: CommandTable; readonly env?: Record<string, string> } = {},
): Promise<Outcome> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await run(argv, {
    io: { stdout, stderr, env: { HOME: "/nonexistent", ...options.env }, cwd: "/" },
    clock: new VirtualClock(),
    signal: new AbortController().signal,
    table: options.table ?? commandTable,
  });
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}

/** A table with one command, and what the last call of it received. */
export function oneCommand(spec: Partial<CommandSpec> = {}): {
  readonly table: CommandTable;
  readonly received: () => Invocation;
} {
  let last: Invocation | undefined;
  const command: CommandSpec = {
    name: "go",
    summary: "goes",
    examples: [],
    load: async () => ({
      run: async (invocation) => {
        last = invocation;
        return 0;
      },
    }),
    ...spec,
  };
  const received = () => {
    if (last === undefined) throw new Error("the command was not run");
    return last;
  };
  return { table: { specs: [command], groups: {} }, received };
}

function textOf(stream: PassThrough): string {
  return (stream.read() as Buffer | null)?.toString() ?? "";
}
