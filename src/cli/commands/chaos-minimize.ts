import type { CommandSpec } from "../command-spec.ts";

export const chaosMinimizeCommand: CommandSpec = {
  name: "chaos minimize",
  summary: "find the smallest experiment that fails the same way",
  description:
    "Takes a failing experiment, or the journal of a failing run, and makes it smaller as long as it fails the same way in the simulator: fewer faults, then shorter and milder ones, then fewer ranks, nodes and steps, then round times. What comes out is an experiment file that `tessera chaos run` fails with. Exit code 0 when there is one, 3 when the experiment does not fail, or not in the same way twice.",
  arguments: [
    {
      name: "<file>",
      description: "an experiment, or a journal",
      completes: "file",
    },
  ],
  options: [
    { flags: "--runs <number>", description: "try so many plans at most; 80 when not given" },
    {
      flags: "--workers <number>",
      description: "runs at once; one for each processor when not given",
    },
    {
      flags: "--out <file>",
      description: "where the experiment goes; to stdout when not given",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera chaos minimize failing.yaml --out small.yaml",
      shows: "the faults that matter, as an experiment of their own",
    },
    {
      command: "tessera chaos minimize run.journal --json",
      shows: "the same for programs, with everything that was tried",
    },
  ],
  reports: false,
  load: () => import("../actions/chaos-minimize.ts"),
};
