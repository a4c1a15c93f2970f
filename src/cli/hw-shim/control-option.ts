import { resolve } from "node:path";
import { textOption } from "../actor.ts";
import type { OptionSpec } from "../command-spec.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** The block that a command is about. */
export const controlOption: OptionSpec = {
  flags: "--control <file>",
  description: "the control block, as the processes have it in TESSERA_CUDA_FAULT_CONTROL",
  completes: "file",
};

/** How long it lasts when nobody says otherwise. */
export const lastsDefault = "60s";

export const forOption: OptionSpec = {
  flags: "--for <duration>",
  description: `it ends by itself after this long, from now; ${lastsDefault} when not given`,
};

/** The path of `--control`. Throws E_USAGE without it. */
export function controlFile({ options, io }: Invocation, command: string): string {
  const file = textOption(options, "control");
  if (file === undefined) throw usageError(command, "`--control` is missing: which block?");
  return resolve(io.cwd, file);
}
