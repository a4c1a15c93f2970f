import assert from "node:assert/strict";
import { type Command, CommanderError } from "commander";
import type { CommandSpec } from "./command-spec.ts";
import type { GlobalOptions } from "./invocation.ts";
import { buildProgram, type CommandTable } from "./program.ts";
import { commandPath } from "./usage-error.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly text: string }
  /** A group of commands, or `tessera` itself, without saying which command. */
  | { readonly kind: "incomplete"; readonly help: string; readonly command: string }
  | RunRequest;

export interface RunRequest {
  readonly kind: "run";
  readonly spec: CommandSpec;
  readonly args: readonly string[];
  /** The command's own options by camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: GlobalOptions;
}

/** Reads a command line, without the names of node and of the script. Throws E_USAGE. */
export function parseCommandLine(
  argv: readonly string[],
  options: { readonly table: CommandTable; readonly width: number },
): Request {
  const help: string[] = [];
  let selected: { readonly spec: CommandSpec; readonly command: Command } | undefined;
  let incomplete: Command | undefined;
  const program = buildProgram({
    ...options,
    write: (text) => help.push(text),
    select: (spec, command) => {
      selected = { spec, command };
    },
    incomplete: (group) => {
      incomplete = group;
    },
  });
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { kind: "version" };
    const text = help.join("");
    if (incomplete === undefined) return { kind: "help", text };
    return { kind: "incomplete", help: text, command: commandPath(incomplete) };
  }
  assert(selected !== undefined, "commander neither chose a command nor complained");
  const { spec, command } = selected;
  return {
    kind: "run",
    spec,
    args: command.processedArgs.flat().filter((argument) => argument !== undefined),
    options: command.opts(),
    globals: globalsOf(program),
  };
}

/** Whether a flag is there at all, which must be known even when the rest makes no sense. */
export function asksFor(argv: readonly string[], flag: "--json" | "--verbose"): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes(flag);
}

function globalsOf(program: Command): GlobalOptions {
  const { color, ...given } = program.opts<GlobalOptions>();
  // Commander gives negated options a default of true; to us that is "not given".
  return color === false ? { ...given, color } : given;
}
