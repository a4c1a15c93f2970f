import type { CommandSpec } from "../command-spec.ts";

export const tokenListCommand: CommandSpec = {
  name: "token list",
  summary: "list the tokens of the HTTP API, newest first, without the secrets",
  description:
    "Lists who holds a token, what it may do, and whether it is still taken: the 10,000 newest. Tokens that have been over for 30 days are forgotten. The administrator's token of TESSERA_TOKEN or a file is not in the store, and tokens of Kubernetes are none of ours.",
  examples: [
    { command: "tessera token list", shows: "every token" },
    { command: "tessera token list --json", shows: "the same for programs" },
  ],
  reports: false,
  load: () => import("../actions/token-list.ts"),
};
