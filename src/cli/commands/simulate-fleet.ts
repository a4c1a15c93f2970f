import type { CommandSpec } from "../command-spec.ts";

export const simulateFleetCommand: CommandSpec = {
  name: "simulate fleet",
  summary: "write the event log of a simulated fleet, for `tessera policy replay`",
  description:
    "Simulates nodes, jobs that come and go, lemons that break more often than others, defects that crash jobs and write to the kernel log, crashes that are nobody's fault, and repairs, and writes what happened as JSON Lines. The same seed writes the same log.",
  options: [
    { flags: "--nodes <count>", description: "nodes of 8 GPUs; 128 when not given" },
    { flags: "--days <count>", description: "length of the log; 30 when not given" },
    {
      flags: "--utilisation <share>",
      description: "share of node-hours that jobs take, 0 to 1; 0.85 when not given",
    },
    {
      flags: "--evidence <factor>",
      description: "how much defects show of themselves: 0 nothing; 1 when not given",
    },
    {
      flags: "--defects <count>",
      description: "new defects per 1000 node-days; 8 when not given",
    },
    {
      flags: "--lemons <share>",
      description: "share of nodes that break often; 0.08 when not given",
    },
    {
      flags: "--lemon-factor <factor>",
      description: "how many times more often they break; 10 when not given",
    },
    {
      flags: "--job-nodes <count>",
      description: "nodes of the largest job; 16 when not given",
    },
    {
      flags: "--budget <factor>",
      description:
        "GPU-hours per day, as a share of what testing every node in 7 days takes; 0.5 when not given",
    },
    { flags: "--in-flight <count>", description: "tests at the same time; one for each 16 nodes" },
    {
      flags: "--out <file>",
      description: "write the log to this file instead of stdout",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera simulate fleet --nodes 200 --days 60 --seed 1 --out fleet.jsonl",
      shows: "a log to try policies on",
    },
    {
      command: "tessera simulate fleet --evidence 0 --out silent.jsonl",
      shows: "the same with defects that only a test can find",
    },
  ],
  reports: false,
  load: () => import("../actions/simulate-fleet.ts"),
};
