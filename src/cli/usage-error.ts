import type { Command, CommanderError } from "commander";
import { closest } from "../platform/config/index.ts";
import { TesseraError } from "../platform/errors/index.ts";

/** An E_USAGE about a command, `""` being `tessera` itself. */
export function usageError(command: string, problem: string): TesseraError {
  const details = { problem, command };
  if (command !== "") return new TesseraError("E_USAGE", details);
  return new TesseraError("E_USAGE", details, {
    hint: "Run `tessera --help` to see what it takes.",
  });
}

/** What commander could not make sense of, in our words and with what was probably meant. */
export function fromCommanderError(error: CommanderError, command: Command): TesseraError {
  const path = commandPath(command);
  const text = error.message.replace(/^error: /, "").replace(/^command-argument /, "");
  const typed = /'(?<typed>[^']*)'/.exec(text)?.groups?.["typed"];
  const candidates = typed === undefined ? [] : candidatesFor(error.code, command);
  const suggestion = typed === undefined ? undefined : closest(bare(typed), candidates);
  const meant = suggestion === undefined ? "" : ` (did you mean \`${suggestion}\`?)`;
  return usageError(path, `${capitalised(text)}${meant}`);
}

/** The words of a command without the program's name: `config print`. */
export function commandPath(command: Command): string {
  const parent = command.parent;
  return parent === null ? "" : `${commandPath(parent)} ${command.name()}`.trim();
}

function candidatesFor(code: string, command: Command): string[] {
  if (code === "commander.unknownCommand") return command.commands.map((child) => child.name());
  if (code !== "commander.unknownOption") return [];
  const own = command.createHelp().visibleOptions(command);
  const inherited = command.createHelp().visibleGlobalOptions(command);
  return [...own, ...inherited].flatMap(({ long, short }) => long ?? short ?? []);
}

/** A mistyped `--prot=80` is compared without its value. */
function bare(typed: string): string {
  return typed.startsWith("-") ? (typed.split("=", 1)[0] ?? typed) : typed;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
