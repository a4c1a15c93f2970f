import type { CommandSpec } from "../command-spec.ts";

export const planCommand: CommandSpec = {
  name: "plan",
  summary: "show which nodes would be tested next and why, and what is postponed",
  description:
    "Looks at each cluster of the configuration and at the history, and shows what the policy would begin now, most urgent first, each with its reason; then what is due and has to wait, each with the guard rail that holds it back: cooldown, limits, GPU-hours of the day, quiet hours, a node that is not free. Begins nothing and changes nothing. docs/policies.md describes the policies.",
  options: [
    { flags: "--cluster <name>", description: "only this cluster of the configuration" },
    {
      flags: "--limit <count>",
      description: "how many runs of each list to show; 20 when not given, all with --json",
    },
  ],
  examples: [
    { command: "tessera plan", shows: "what would be tested next on every cluster" },
    {
      command: "tessera plan --cluster gpu-prod --limit 5",
      shows: "the five most urgent runs of one cluster, and five that wait",
    },
    { command: "tessera plan --json", shows: "everything, for programs" },
  ],
  reports: false,
  load: () => import("../actions/plan.ts"),
};
