import { didYouMean } from "../../platform/config/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { parseCommandLine } from "../command-line.ts";
import { helpWidth } from "../help-text.ts";
import type { Action } from "../invocation.ts";
import type { CommandTable } from "../program.ts";
import { usageError } from "../usage-error.ts";

/** `tessera help [command...]`: the same text as the command's own `--help`. */
export function createRun(table: CommandTable): Action {
  return async ({ args, io }) => {
    const name = args.join(" ");
    const names = table.specs.map((spec) => spec.name);
    const isKnown = name === "" || names.some((other) => `${other} `.startsWith(`${name} `));
    if (!isKnown) {
      throw usageError("", `There is no command \`${name}\`${didYouMean(name, names)}.`);
    }
    const request = parseCommandLine([...args, "--help"], { table, width: helpWidth(io) });
    if (request.kind === "help") io.stdout.write(request.text);
    return exitCodes.good;
  };
}
