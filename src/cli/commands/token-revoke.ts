import type { CommandSpec } from "../command-spec.ts";

export const tokenRevokeCommand: CommandSpec = {
  name: "token revoke",
  summary: "revoke a token of the HTTP API",
  description:
    "Withdraws a token in the configured store: its next call is refused, also by a `tessera up` that runs. Revoking twice is revoking once.",
  arguments: [{ name: "<id>", description: "its id, as `tessera token list` shows it" }],
  options: [{ flags: "--reason <text>", description: "why, for the audit log" }],
  examples: [
    {
      command: 'tessera token revoke 3f9c21d07a54b6e8 --reason "ann has left"',
      shows: "a token that nobody can use any more",
    },
  ],
  reports: false,
  load: () => import("../actions/token-revoke.ts"),
};
