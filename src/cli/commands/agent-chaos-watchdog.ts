import type { CommandSpec } from "../command-spec.ts";

/** How this program watches over a run of the host world, and undoes its faults if the runner is killed. */
export const agentChaosWatchdogCommand: CommandSpec = {
  name: "agent chaos-watchdog",
  summary: "undo the faults of a chaos experiment when the process that started it is gone",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-chaos-watchdog.ts"),
};
