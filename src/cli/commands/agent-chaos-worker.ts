import type { CommandSpec } from "../command-spec.ts";

/** How this program starts itself as one worker of the host world; see `createHostWorld`. */
export const agentChaosWorkerCommand: CommandSpec = {
  name: "agent chaos-worker",
  summary: "run one worker of a chaos experiment for the process that started it",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-chaos-worker.ts"),
};
