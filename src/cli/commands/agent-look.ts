import type { CommandSpec } from "../command-spec.ts";

/** How this program starts itself to look at a machine whose driver may hang; see `lookElsewhere`. */
export const agentLookCommand: CommandSpec = {
  name: "agent look",
  summary: "say what a gate before a job looks at, for the process that started this one",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-look.ts"),
};
