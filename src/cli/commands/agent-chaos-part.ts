import type { CommandSpec } from "../command-spec.ts";

export const agentChaosPartCommand: CommandSpec = {
  name: "agent chaos-part",
  summary: "make the runs of one range of a chaos campaign, inside a pod or a job of Slurm",
  description:
    "The entry of the pods of `tessera chaos campaign --on kubernetes` and of the tasks of `--on slurm`. TESSERA_CAMPAIGN_SEED and TESSERA_CAMPAIGN_RANGES (`0:250,250:500`) say what to do, the JOB_COMPLETION_INDEX of an indexed Job or the SLURM_ARRAY_TASK_ID of an array which of the ranges. Prints the result as packed lines for whoever reads the pod's log, or, with TESSERA_CAMPAIGN_FOLDER, leaves it there as a file; ends with exit code 0 whatever came of the runs.",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-chaos-part.ts"),
};
