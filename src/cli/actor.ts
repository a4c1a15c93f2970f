import type { Invocation } from "./invocation.ts";
import { usageError } from "./usage-error.ts";

/** Who sits at this terminal, for the audit log; not a proof of anything. */
export function actorOf({ io }: Pick<Invocation, "io">): string {
  const names = ["SUDO_USER", "USER", "LOGNAME", "USERNAME"].map((name) => io.env[name]);
  return names.find((name) => name !== undefined && name !== "") ?? "somebody";
}

/**
 * The `--reason` of a change that needs one.
 *
 * @throws E_USAGE when it is missing or blank.
 */
export function requiredReason(command: string, options: Invocation["options"]): string {
  const { reason } = options;
  const text = typeof reason === "string" ? reason.trim().replace(/\.$/, "") : "";
  if (text !== "") return text;
  throw usageError(command, "`--reason` is missing: whoever reads the audit log will ask");
}

/** The text of an option; undefined when it was not given. */
export function textOption(options: Invocation["options"], name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}
