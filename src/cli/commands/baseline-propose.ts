import type { CommandSpec } from "../command-spec.ts";

export const baselineProposeCommand: CommandSpec = {
  name: "baseline propose",
  summary: "learn candidates for baselines from the runs of the last days",
  description:
    "Learns what is usual for every cluster, SKU, check and cohort with at least 8 healthy nodes, and keeps it as a candidate. Nodes that failed in that time are left out, and so is the last day, so that trouble of today is not learned. Compares nothing until it is activated. Exit code 1 when `--activate` refused a candidate, 3 when nothing could be learned.",
  options: [
    { flags: "--cluster <name>", description: "only from runs of this cluster" },
    { flags: "--check <name>", description: "only from runs of this check" },
    { flags: "--days <number>", description: "from the runs of so many days; 14 when not given" },
    {
      flags: "--activate",
      description: "activate what no guard rail is against: no median worse by over 2 %",
    },
    { flags: "--reason <text>", description: "why, for the record" },
  ],
  examples: [
    { command: "tessera baseline propose", shows: "candidates from the last 14 days" },
    {
      command: "tessera baseline propose --check nccl-loopback --activate",
      shows: "the same for one check, in force at once where nothing got worse",
    },
  ],
  reports: false,
  load: () => import("../actions/baseline-propose.ts"),
};
