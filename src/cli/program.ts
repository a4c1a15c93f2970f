import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../platform/config/index.ts";
import { version } from "../version.ts";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "./command-spec.ts";
import { globalOptions } from "./global-options.ts";
import { examplesHelp, programHelp } from "./help-text.ts";
import { commandPath, fromCommanderError } from "./usage-error.ts";

/** All commands there are, and what the groups of nested ones are for. */
export interface CommandTable {
  readonly specs: readonly CommandSpec[];
  /** One line for each first word that several commands share: `config`. */
  readonly groups: Readonly<Record<string, string>>;
  /** Commands that this program calls itself with: in no help, completion or documentation. */
  readonly internal?: readonly CommandSpec[];
}

export interface ProgramOptions {
  readonly table: CommandTable;
  /** Columns to wrap help at. */
  readonly width: number;
  /** Receives help. */
  readonly write: (text: string) => void;
  /** Told which command was named, once its arguments and options are known to be right. */
  readonly select: (spec: CommandSpec, command: Command) => void;
  /** Told when a group of commands, or the program itself, was named without a command of it. */
  readonly incomplete: (group: Command) => void;
}

/**
 * The commander program for a table of commands. It reads and checks; it runs nothing. Errors are
 * E_USAGE; help and version still end in commander's own errors, which say so by their code.
 */
export function buildProgram(options: ProgramOptions): Command {
  const program: Command = new Command("tessera")
    .description(
      "Proves that a GPU cluster works, breaks it on purpose, and proves that it recovers.",
    )
    .version(version, "-V, --version", "print the version")
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      // A command that has commands of its own does not share its options with them.
      visibleGlobalOptions: ({ parent }) =>
        parent === null ? [] : program.options.filter(({ hidden }) => !hidden),
    })
    .configureOutput({
      writeOut: options.write,
      writeErr: options.write,
      outputError: () => undefined,
      getOutHelpWidth: () => options.width,
      getErrHelpWidth: () => options.width,
    });
  prepare(program, options);
  program.addHelpText("after", programHelp());
  for (const spec of globalOptions) program.addOption(optionOf(spec));
  const { specs, internal = [] } = options.table;
  for (const spec of specs) addCommand(program, spec, options);
  for (const spec of internal) addCommand(program, spec, { ...options, hidden: true });
  return program;
}

function addCommand(
  program: Command,
  spec: CommandSpec,
  options: ProgramOptions & { readonly hidden?: boolean },
): void {
  const words = spec.name.split(" ");
  const name = words.pop() ?? "";
  const parent = words.reduce((at, word) => groupOf(at, word, options), program);
  const { hidden = false } = options;
  const command = parent.command(name, { hidden }).summary(spec.summary);
  command.description(spec.description ?? spec.summary);
  prepare(command, options);
  command.addHelpText("after", examplesHelp(spec.examples));
  for (const argument of spec.arguments ?? []) command.addArgument(argumentOf(argument));
  for (const option of spec.options ?? []) command.addOption(optionOf(option));
  command.action(() => {
    refuseOptionsAbove(command);
    options.select(spec, command);
  });
}

/** A command may have commands of its own; commander lets its options pass for theirs. */
function refuseOptionsAbove(command: Command): void {
  for (let above = command.parent; above?.parent; above = above.parent) {
    for (const option of above.options) {
      if (above.getOptionValueSource(option.attributeName()) !== "cli") continue;
      const message = `error: unknown option '${option.long ?? option.flags}'`;
      command.error(message, { code: "commander.unknownOption" });
    }
  }
}

/** The command that holds nested ones, made when first needed. */
function groupOf(parent: Command, word: string, options: ProgramOptions): Command {
  const existing = parent.commands.find((command) => command.name() === word);
  if (existing !== undefined) return existing;
  const group = parent.command(word);
  group.description(options.table.groups[commandPath(group)] ?? "");
  return prepare(group, options);
}

function prepare(command: Command, options: ProgramOptions): Command {
  return command
    .helpCommand(false)
    .helpOption("-h, --help", "print this help")
    .showSuggestionAfterError(false)
    .exitOverride((error) => {
      if (error.code === "commander.help") options.incomplete(command);
      throw isAnswer(error) ? error : fromCommanderError(error, command);
    });
}

/** Help and version end the parsing too, without anything being wrong. */
function isAnswer(error: CommanderError): boolean {
  return ["commander.version", "commander.help", "commander.helpDisplayed"].includes(error.code);
}

function optionOf(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.choices !== undefined) option.choices([...spec.choices]);
  if (!option.isBoolean()) {
    // A flag that may be repeated arrives value by value, with those before.
    option.argParser<string | readonly string[]>((value, earlier) => {
      refuseFlag(value);
      const checked = oneOf(value, spec.choices);
      return option.variadic ? [earlier ?? [], checked].flat() : checked;
    });
  }
  return option;
}

function argumentOf(spec: ArgumentSpec): Argument {
  const argument = new Argument(spec.name, spec.description);
  if (spec.choices === undefined) return argument;
  argument.choices([...spec.choices]);
  // A list of arguments arrives one by one, with those before.
  return argument.argParser<string | readonly string[]>((value, earlier) => {
    const checked = oneOf(value, spec.choices);
    return argument.variadic ? [earlier ?? [], checked].flat() : checked;
  });
}

/** `--junit --json` is a forgotten file name, not a file named `--json`. */
function refuseFlag(value: string): void {
  if (!/^(--[a-z]|-[a-zA-Z]$)/.test(value)) return;
  throw new InvalidArgumentError("A value is missing before it.");
}

function oneOf(value: string, choices: readonly string[] | undefined): string {
  if (choices === undefined || choices.includes(value)) return value;
  throw new InvalidArgumentError(`Allowed are ${choices.join(", ")}${didYouMean(value, choices)}.`);
}
