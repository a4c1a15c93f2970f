import type { CommandSpec } from "../command-spec.ts";

export const planCheckpointCommand: CommandSpec = {
  name: "plan-checkpoint",
  summary: "say how often a job should save, what that is worth and how sure it is",
  description:
    "Computes the interval between checkpoints by the forms of Young and Daly, the exact one for failures without memory, and NVIDIA's availability form; the share of time that is productive (ETTR, queueing left out) with a band for what is not known exactly; where the rest goes; how flat the optimum is; how many checkpoints to keep. Failures that cluster are simulated. Nothing is measured: every figure is modelled or simulated.",
  options: [
    { flags: "--nodes <count>", description: "nodes of the job; one that fails stops it" },
    { flags: "--gpus-per-node <count>", description: "GPUs of a node; 8 when not given" },
    {
      flags: "--failures-per-1000-node-days <rate>",
      description:
        "failures that stop the job; when not given 3.79 for each 8 GPUs of a node, as published for Llama 3",
    },
    {
      flags: "--mtbf-hours-per-node <hours>",
      description: "the same as the mean time between failures of one node",
    },
    {
      flags: "--failures <count>",
      description: "the same as failures that were seen; with --node-days",
    },
    { flags: "--node-days <days>", description: "how long nodes were watched, together" },
    { flags: "--write-s <seconds>", description: "until a checkpoint is safely written" },
    {
      flags: "--checkpoint-gib <size>",
      description: "the size of a checkpoint in GiB; with --bandwidth-gbps in place of --write-s",
    },
    {
      flags: "--bandwidth-gbps <rate>",
      description: "how fast a checkpoint is written, in gigabits a second, all nodes together",
    },
    {
      flags: "--async-blocking-s <seconds>",
      description: "how long an asynchronous save stops the job; all of the write when not given",
    },
    {
      flags: "--restart-s <seconds>",
      description: "from the discovery of a failure until the job computes again",
    },
    {
      flags: "--detect-s <seconds>",
      description: "until a failure is discovered; 0 when not given",
    },
    {
      flags: "--unseen-s <seconds>",
      description:
        "how long silent corruption may stay unseen: checkpoints are kept beyond it; --detect-s when not given",
    },
    { flags: "--step-s <seconds>", description: "one training step, for intervals in steps" },
    {
      flags: "--rate-uncertainty <percent>",
      description:
        "how well the rate is known; 32 when not given, as far as published rates differ",
    },
    {
      flags: "--time-uncertainty <percent>",
      description: "how well write and restart times are known; 20 when not given",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with plots",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera plan-checkpoint --nodes 2048 --write-s 60 --restart-s 600 --step-s 5",
      shows: "a job on 16,384 GPUs that fails as often as Llama 3's did",
    },
    {
      command:
        "tessera plan-checkpoint --nodes 128 --failures 7 --node-days 1800 --write-s 90 --async-blocking-s 4 --restart-s 420 --unseen-s 86400",
      shows:
        "with the failures of the own fleet, asynchronous saves, and corruption found within a day",
    },
    {
      command:
        "tessera plan-checkpoint --nodes 512 --checkpoint-gib 4000 --bandwidth-gbps 800 --restart-s 300 --html plan.html --json",
      shows:
        "from the size of a checkpoint and the bandwidth of the storage; a page, and JSON for programs",
    },
  ],
  load: () => import("../actions/plan-checkpoint.ts"),
};
