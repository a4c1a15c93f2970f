import type { OptionSpec } from "../../command-spec.ts";

/** What `--on slurm` adds to a command that measures between real ranks. */
export const slurmRankOptions: readonly OptionSpec[] = [
  {
    flags: "--on <place>",
    description:
      "with --measured: where the ranks run: here, or on nodes of the Slurm cluster of the configuration",
    choices: ["here", "slurm"],
  },
  { flags: "--nodes <count>", description: "with --on slurm: how many nodes; 2 when not given" },
  {
    flags: "--ranks-per-node <count|auto>",
    description: "with --on slurm: ranks on each node; auto: one for each GPU, or one",
  },
  {
    flags: "--partition <name>",
    description: "with --on slurm: the partition of the job",
    configKey: "slurm.partition",
  },
  {
    flags: "--account <name>",
    description: "with --on slurm: the account it is charged to",
    configKey: "slurm.account",
  },
  {
    flags: "--qos <name>",
    description: "with --on slurm: its quality of service",
    configKey: "slurm.qos",
  },
  {
    flags: "--reservation <name>",
    description: "with --on slurm: the reservation whose nodes it takes",
  },
  {
    flags: "--time <duration>",
    description: "with --on slurm: its time limit, such as 30m; 1h when not given",
  },
  {
    flags: "--nodelist <nodes>",
    description: "with --on slurm: nodes it must have, such as g[0-3]",
  },
  {
    flags: "--exclude <nodes>",
    description: "with --on slurm: nodes it must not have, such as g7,g[12-15]",
  },
  {
    flags: "--pending-timeout <duration>",
    description: "with --on slurm: how long it may wait for its nodes; 10m when not given",
  },
];

/** The options of `--on slurm` by their names in an invocation. */
export const slurmOptionNames: readonly string[] = slurmRankOptions.map(({ flags }) => {
  const [flag = ""] = flags.slice(2).split(" ");
  return flag.replaceAll(/-[a-z]/g, (dash) => dash.slice(1).toUpperCase());
});
