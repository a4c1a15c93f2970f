import { z } from "zod";
import { usageError } from "../../usage-error.ts";

const variable = "TESSERA_LOOK";

const order = z.strictObject({
  folders: z.array(z.string()).max(16),
  gpus: z.boolean(),
  xids: z.boolean(),
});

/** What to look at. */
export type LookOrder = z.output<typeof order>;

/** The order as a variable of the environment of `tessera agent look`. */
export function lookVariables(of: LookOrder): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(of) };
}

/** The order that this process was given. Throws E_USAGE without one. */
export function readLookOrder(env: Readonly<Record<string, string | undefined>>): LookOrder {
  try {
    return order.parse(JSON.parse(env[variable] ?? ""));
  } catch {
    throw usageError("agent look", "Only Tessera itself starts it");
  }
}
