import { rankTaskNames } from "../agent/tasks.ts";
import type { CommandSpec } from "../command-spec.ts";

export const agentRankCommand: CommandSpec = {
  name: "agent rank",
  summary: "run one rank of a task in this process, as its environment says",
  description:
    "For ranks on several hosts: each process is one rank. TESSERA_RANK (or the JOB_COMPLETION_INDEX of an indexed Job, or Volcano's VC_TASK_INDEX), TESSERA_WORLD_SIZE and TESSERA_RENDEZVOUS=host:port say which; a task of srun knows all three from Slurm; the secret stands in the file TESSERA_RANK_SECRET_FILE, or in TESSERA_RANK_SECRET; TESSERA_RANK_INPUT is the task's input as JSON. Rank 0 listens at the rendezvous (on TESSERA_RENDEZVOUS_BIND when that is set) and prints the result as JSON; the others print nothing.",
  arguments: [
    { name: "<task>", description: "the task: collective, …", suggestions: () => rankTaskNames },
  ],
  examples: [
    {
      command: "tessera agent rank collective",
      shows: "this process's part of a measured collective, inside a pod of an indexed Job",
    },
  ],
  reports: false,
  load: () => import("../actions/agent-rank.ts"),
};
