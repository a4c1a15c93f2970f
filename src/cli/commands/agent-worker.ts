import type { CommandSpec } from "../command-spec.ts";

/** How this program starts itself as one rank; see `createRankLauncher`. */
export const agentWorkerCommand: CommandSpec = {
  name: "agent worker",
  summary: "run one rank of a task for the process that started it",
  arguments: [{ name: "<task>", description: "the task" }],
  examples: [],
  reports: false,
  load: () => import("../actions/agent-worker.ts"),
};
