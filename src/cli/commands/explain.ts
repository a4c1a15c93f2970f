import { errorTable } from "../../platform/errors/index.ts";
import type { CommandSpec } from "../command-spec.ts";

export const explainCommand: CommandSpec = {
  name: "explain",
  summary: "explain an error code",
  description: "Explains an error code: what it says, what to do, and how it is reported.",
  arguments: [
    {
      name: "[code]",
      description: "the error code; without it, all are listed",
      suggestions: () => Object.keys(errorTable),
    },
  ],
  examples: [
    { command: "tessera explain E_CONFIG_INVALID", shows: "what this error means" },
    { command: "tessera explain --json", shows: "the whole table, for programs" },
  ],
  reports: false,
  load: () => import("../actions/explain.ts"),
};
