import type { CommandSpec } from "../command-spec.ts";

export const chaosFleetCommand: CommandSpec = {
  name: "chaos fleet",
  summary: "simulate a large job over weeks or years on machines that fail as published ones did",
  description:
    "Runs a job on a simulated fleet: nodes fail, are repaired, slow down and drag their neighbours with them, by a failure model whose every number has a citation. Says how much of the time was effective training (ETTR, without queueing), where the rest went, what the causes were and how long recoveries took, for several seeds. Presets bring the failures and, as far as they are published, the habits of a real job; what is not published is an assumption and says so. Everything is simulated; nothing is measured.",
  options: [
    {
      flags: "--preset <name>",
      description: "whose failures and habits; llama3 when not given",
      choices: ["llama3", "rsc1", "rsc2", "ft-hsdp", "ft-hsdp-synchronous"],
    },
    { flags: "--gpus <count>", description: "GPUs of the job, in nodes of 8" },
    { flags: "--days <count>", description: "simulated days" },
    { flags: "--runs <count>", description: "how often, each with another seed; 8 when not given" },
    {
      flags: "--policy <name>",
      description: "what is done about a loss",
      choices: ["drainThenResume", "spare", "shrink", "replica"],
    },
    { flags: "--spare-nodes <count>", description: "nodes beside those of the job" },
    { flags: "--replicas <count>", description: "data-parallel replicas" },
    { flags: "--step-s <seconds>", description: "one training step" },
    {
      flags: "--interval-s <seconds>",
      description: "computing between saves; the best one by the exact form when nobody says",
    },
    { flags: "--blocking-s <seconds>", description: "how long a save stops the job" },
    { flags: "--write-s <seconds>", description: "until a save counts" },
    {
      flags: "--restart-s <seconds>",
      description: "from the discovery of a failure until the job computes again",
    },
    {
      flags: "--stall-s <seconds>",
      description: "how long other replicas stall, with the policy replica",
    },
    {
      flags: "--set <list>",
      description:
        "parameters of the failure model with other values: lemons.share=0.02,hardware.shape=0.75",
    },
    {
      flags: "--html <file>",
      description: "also write a self-contained HTML page with plots",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera chaos fleet --preset llama3 --gpus 16384 --days 54",
      shows: "54 days of a job like Llama 3's, beside what was published",
    },
    {
      command: "tessera chaos fleet --preset rsc1 --gpus 8192 --interval-s 600 --html fleet.html",
      shows: "a larger job on the machines of RSC-1 that saves every ten minutes, with plots",
    },
    {
      command: "tessera chaos fleet --days 365 --runs 1 --set repair.drainShare=0.8 --json",
      shows: "a year in which most failures need a repair, for programs",
    },
  ],
  load: () => import("../actions/chaos-fleet.ts"),
};
