import type { CommandSpec } from "../command-spec.ts";

/** How this program starts itself for one experiment of the control plane; see `carryOutOrder`. */
export const agentExperimentCommand: CommandSpec = {
  name: "agent experiment",
  summary: "carry out one chaos experiment for the control plane that started this process",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-experiment.ts"),
};
