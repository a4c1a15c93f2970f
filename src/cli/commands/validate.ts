import type { CommandSpec } from "../command-spec.ts";

export const validateCommand: CommandSpec = {
  name: "validate",
  summary: "test free nodes, stalest and riskiest first, until stopped",
  description:
    "Looks after the clusters of the configuration: finds free nodes, runs the checks that are due on them within the limits, judges what comes back and, where the configuration says so, closes nodes that failed. The first Ctrl-C begins nothing more and waits for what is under way; the second cancels it. Where another loop leads a cluster this one waits and takes over when it is gone. With `--once` the exit code is 0 when everything tested is healthy, 1 when a node failed, 3 when something could not be decided.",
  options: [
    { flags: "--once", description: "run what is due now to its end, report, and stop" },
    { flags: "--dry-run", description: "show what would be submitted, and change nothing" },
    { flags: "--cluster <name>", description: "look after this cluster of the configuration only" },
  ],
  examples: [
    { command: "tessera validate", shows: "every cluster of the configuration, until Ctrl-C" },
    {
      command: "tessera validate --once --cluster local",
      shows: "one pass over this machine, with a report",
    },
    { command: "tessera validate --dry-run", shows: "what would be tested, and why" },
  ],
  load: () => import("../actions/validate.ts"),
};
