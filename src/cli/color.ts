import type { CommandIo, GlobalOptions } from "./invocation.ts";

/**
 * Whether to colour what goes to a stream: `--no-color` says no; then FORCE_COLOR and NO_COLOR, in
 * Node's own order; else a terminal gets colours and a file or pipe does not.
 */
export function usesColor(
  stream: { readonly isTTY?: boolean },
  options: { readonly globals: GlobalOptions; readonly env: CommandIo["env"] },
): boolean {
  const { globals, env } = options;
  if (globals.color === false) return false;
  const forced = env["FORCE_COLOR"];
  if (isSet(forced)) return forced !== "0" && forced !== "false";
  if (isSet(env["NO_COLOR"])) return false;
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
