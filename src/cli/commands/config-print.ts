import type { CommandSpec } from "../command-spec.ts";

export const configPrintCommand: CommandSpec = {
  name: "config print",
  summary: "show the configuration that would be used",
  description:
    "Shows what the file, the environment and flags set, each value with the place it comes from. Passwords are masked.",
  options: [
    { flags: "--resolved", description: "show every key, also those left at their default" },
  ],
  examples: [
    { command: "tessera config print", shows: "what is set, and where" },
    { command: "tessera config print --resolved --json", shows: "every value, for programs" },
  ],
  reports: false,
  load: () => import("../actions/config-print.ts"),
};
