import { exitCodes } from "../../platform/errors/index.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { completionNodes } from "../completion/model.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { Action } from "../invocation.ts";
import type { CommandTable } from "../program.ts";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `tessera completion <shell>`. */
export function createRun(table: CommandTable): Action {
  return async ({ args, io }) => {
    const shell = args[0] as keyof typeof scripts;
    io.stdout.write(scripts[shell](completionNodes(table)));
    return exitCodes.good;
  };
}
