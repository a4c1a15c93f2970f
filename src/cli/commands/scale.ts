import type { CommandSpec } from "../command-spec.ts";

export const scaleCommand: CommandSpec = {
  name: "scale",
  summary: "measure strong or weak scaling of data-parallel steps with real ranks",
  description:
    "Starts real processes on this host, one for each rank, that take data-parallel steps: the products of a layer's forward pass and gradient on each rank's share of the batch, then the sum of the gradients over all ranks. Strong scaling divides one batch among the ranks, weak scaling gives each rank a batch of its own. With --topology the step that the model expects stands beside the measured one.",
  arguments: [
    {
      name: "<kind>",
      description: "strong: the same batch on more ranks; weak: a batch for each rank",
      choices: ["strong", "weak"],
    },
  ],
  options: [
    { flags: "--measured", description: "measure with real ranks on this host" },
    {
      flags: "--ranks <counts>",
      description: "numbers of ranks, such as 1,2,4; 1,2 when not given",
    },
    { flags: "--batch <rows>", description: "rows of one batch; 1024 when not given" },
    { flags: "--size <number>", description: "the layer is size x size, f32; 512 when not given" },
    { flags: "--steps <count>", description: "steps that count; 10 when not given" },
    {
      flags: "--device <kind>",
      description: "where the ranks compute: cpu, or one GPU for each (cuda)",
      choices: ["cpu", "cuda"],
    },
    {
      flags: "--topology <name|file>",
      description:
        "model the sum of the gradients on this system, or on one of `collective calibrate`",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera scale strong --measured --ranks 1,2,4",
      shows: "what more ranks of this host gain on the same batch",
    },
    {
      command: "tessera scale weak --measured --ranks 1,2 --topology own.yaml --json",
      shows: "measured steps beside those of a calibrated model, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/scale.ts"),
};
