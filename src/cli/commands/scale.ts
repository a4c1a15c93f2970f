import { slurmRankOptions } from "../agent/slurm/options.ts";
import type { CommandSpec } from "../command-spec.ts";

export const scaleCommand: CommandSpec = {
  name: "scale",
  summary:
    "how training scales with devices and what limits it: modelled, from a table, or measured",
  description:
    "Says how a training step scales from few devices to many, and names what limits it. With --topology a transformer's step is modelled for each count: efficiency, the laws of Amdahl, Gustafson and Karp-Flatt and the universal scalability law, the knee, the price of sums in a fixed order, and the time that each cause takes, found by replaying the model without it. With --table the same laws are fitted to runs of your own. With --measured it starts real processes, one for each rank, that take data-parallel steps: on this host, or with --on slurm on nodes of a Slurm cluster, where one job holds the nodes of the largest number of ranks and each number is a step of it; with --topology the step that the model expects stands beside the measured one. Rules such as --require-efficiency give a verdict: exit code 1 when it fails, 3 when it cannot be decided.",
  arguments: [
    {
      name: "<kind>",
      description: "strong: the same batch on more devices; weak: a batch for each device",
      choices: ["strong", "weak"],
    },
  ],
  options: [
    {
      flags: "--devices <counts>",
      description:
        "model these numbers of devices, such as 1,2,4,72 or 1..1024 for doublings; 1..1024 when not given",
    },
    {
      flags: "--topology <name|file>",
      description:
        "the system: gb200-nvl72 (short nvl72), hgx-h100, … as for `collective`, or a YAML file; with --measured, the model to stand beside",
      completes: "file",
    },
    {
      flags: "--workload <name|file>",
      description:
        "what is trained: mini, gpt-1b, gpt-7b, gpt-70b, gpt-175b, or a YAML file; gpt-1b when not given",
      completes: "file",
    },
    {
      flags: "--deterministic",
      description: "model sums in a fixed order: no trees, none in switches",
    },
    {
      flags: "--table <file>",
      description:
        "fit runs of your own: CSV or JSON with devices, time_s and if you like work, several runs for a count",
      completes: "file",
    },
    {
      flags: "--html <file>",
      description: "also write the report as a self-contained HTML page with plots",
      completes: "file",
    },
    {
      flags: "--require-efficiency <share>",
      description: "fail below this efficiency at the largest count, such as 0.85",
    },
    {
      flags: "--max-drop <share>",
      description: "fail when a doubling costs more efficiency than this, such as 0.1",
    },
    {
      flags: "--baseline <file>",
      description:
        "the --json of an earlier report: fail when the knee lies more than a fifth lower",
      completes: "file",
    },
    { flags: "--measured", description: "measure with real ranks on this host" },
    {
      flags: "--ranks <counts>",
      description: "measured: numbers of ranks, such as 1,2,4; 1,2 when not given",
    },
    { flags: "--batch <rows>", description: "measured: rows of one batch; 1024 when not given" },
    {
      flags: "--size <number>",
      description: "measured: the layer is size x size, f32; 512 when not given",
    },
    { flags: "--steps <count>", description: "measured: steps that count; 10 when not given" },
    {
      flags: "--device <kind>",
      description: "measured: where the ranks compute: cpu, or one GPU for each (cuda)",
      choices: ["cpu", "cuda"],
    },
    ...slurmRankOptions,
  ],
  examples: [
    {
      command: "tessera scale strong --devices 1..1024 --topology hgx-h100 --html scaling.html",
      shows: "how one batch scales to 128 nodes, what limits it, with plots",
    },
    {
      command:
        "tessera scale weak --devices 8,72,144,1152 --topology nvl72 --workload gpt-70b --require-efficiency 0.85",
      shows: "a model of 70 billion weights on racks; exit code 1 below 85 %",
    },
    {
      command: "tessera scale strong --table runs.csv --json",
      shows: "the laws that fit runs of your own, with confidence, for programs",
    },
    {
      command: "tessera scale strong --measured --ranks 1,2,4",
      shows: "what more ranks of this host gain on the same batch",
    },
    {
      command:
        "tessera scale weak --measured --on slurm --nodes 4 --ranks 1,2,4 --partition tessera",
      shows: "the same on one, two and four nodes of a Slurm cluster, in one job",
    },
    {
      command: "tessera scale weak --measured --ranks 1,2 --topology own.yaml --json",
      shows: "measured steps beside those of a calibrated model, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/scale.ts"),
};
