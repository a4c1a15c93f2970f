import type { CommandExample } from "./command-spec.ts";
import { exitCodeTable } from "./exit-code-table.ts";
import type { CommandIo } from "./invocation.ts";

/** The examples at the end of a command's help. */
export function examplesHelp(examples: readonly CommandExample[]): string {
  if (examples.length === 0) return "";
  const lines = examples.map(({ command, shows }) => `  $ ${command}\n      ${shows}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}

/** What the program's own help ends with. */
export function programHelp(): string {
  const codes = exitCodeTable.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`);
  return `\nExit codes:\n${codes.join("\n")}\n\nRun \`tessera help COMMAND\` for the options and examples of a command.\n`;
}

const widthWithoutTerminal = 100;

/** Columns to wrap help at. */
export function helpWidth(io: CommandIo): number {
  return io.stdout.columns ?? widthWithoutTerminal;
}
