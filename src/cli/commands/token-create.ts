import type { CommandSpec } from "../command-spec.ts";

/** The roles, spelled out so that help and completion load nothing. */
const roles = ["read", "operate", "inject", "admin"];

export const tokenCreateCommand: CommandSpec = {
  name: "token create",
  summary: "make a token of the HTTP API, and show it this once",
  description:
    "Makes a token in the configured store, whether or not `tessera up` runs on it; a running one takes it at once. Prints the token alone, and what it is for on the standard error. Only its hash is kept. Whoever can write to the store needs no other token for this: it is the way back in when the administrator's is lost.",
  arguments: [{ name: "<name>", description: "who holds it; the audit log names callers by it" }],
  options: [
    {
      flags: "--role <role>",
      description: "what it may do, each role including those before it; required",
      choices: roles,
    },
    {
      flags: "--expires <duration>",
      description:
        "after which it is refused, such as 30d or 12h; stays until revoked when not given",
    },
    { flags: "--reason <text>", description: "why, for the audit log" },
  ],
  examples: [
    { command: "tessera token create ann --role admin", shows: "a token that may do everything" },
    {
      command: "tessera token create prometheus --role read --expires 365d --json",
      shows: "one for a scraper, as JSON with its id",
    },
  ],
  reports: false,
  load: () => import("../actions/token-create.ts"),
};
