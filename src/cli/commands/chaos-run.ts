import type { CommandSpec } from "../command-spec.ts";

export const chaosRunCommand: CommandSpec = {
  name: "chaos run",
  summary: "break a job as an experiment file says, and judge how it comes out of it",
  description:
    "Reads an experiment, resolves it with the seed to a plan, and runs it: the steady state must hold, the same job runs without faults, then with them, everything is undone and what is left is looked for, and the steady state must hold again. The same file runs in the simulator, on processes of this machine and on a cluster. Exit code 0 means that it passed, 1 that it failed, 3 that nothing was proven (a fault without effect, an interruption), 2 that the file is wrong. Every figure says whether it is simulated or measured. docs/chaos.md describes the file.",
  arguments: [{ name: "<file>", description: "the experiment, YAML", completes: "file" }],
  options: [
    {
      flags: "--world <world>",
      description: "where it runs; what the file says when not given, else sim",
      choices: ["sim", "host", "kubernetes", "slurm"],
    },
    {
      flags: "--gate <bounds>",
      description:
        'also hold metrics to bounds, such as "recoverySeconds <= 30, deadlocks <= 0"; docs/chaos-metrics.md has their names',
    },
    {
      flags: "--dry-run",
      description: "only print the plan: who is hit, when, and what must come back",
    },
    {
      flags: "--no-baseline",
      description: "leave out the run without faults; what needs one is then inconclusive",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with its timeline",
      completes: "file",
    },
    {
      flags: "--journal <file>",
      description: "also write all that happened, for `tessera chaos replay`",
      completes: "file",
    },
    {
      flags: "--api-url <url>",
      description:
        "where the fault API listens, for gpu_xid and cuda_error; a port is forwarded to it when not given",
    },
    {
      flags: "--api-namespace <name>",
      description: "where it is installed, for the forwarded port; tessera-hardware if not given",
    },
    {
      flags: "--summary",
      description: "also append Markdown to the file that GITHUB_STEP_SUMMARY names",
    },
  ],
  examples: [
    {
      command: "tessera chaos run examples/chaos/kill-gpu.yaml",
      shows: "a GPU lost in the middle of a job, simulated",
    },
    {
      command: "tessera chaos run examples/chaos/kill-gpu.yaml --world host",
      shows: "the same file on real processes of this machine",
    },
    {
      command: "tessera chaos run experiment.yaml --dry-run",
      shows: "who would be hit, and what would have to restart",
    },
    {
      command: 'tessera chaos run experiment.yaml --gate "recoverySeconds <= 30, goodput >= 0.9"',
      shows: "fails when the job recovers, but too slowly or at too high a price",
    },
    {
      command: "tessera chaos run experiment.yaml --json --junit chaos.xml --summary",
      shows: "for a pipeline: JSON, JUnit and a summary of the job",
    },
  ],
  load: () => import("../actions/chaos-run.ts"),
};
