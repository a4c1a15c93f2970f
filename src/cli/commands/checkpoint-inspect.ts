import type { CommandSpec } from "../command-spec.ts";

export const checkpointInspectCommand: CommandSpec = {
  name: "checkpoint inspect",
  summary: "show what a checkpoint, a folder of them or a safetensors file holds",
  description:
    "Shows tensors with dtype, shape, layout and size, files, and what a checkpoint says about itself: step, mesh, writers, versions, the rest of the state. Of a root it lists the checkpoints, also those without a COMMIT. Only headers and manifests are read; `tessera checkpoint verify` reads the data too.",
  arguments: [
    {
      name: "<path>",
      description: "a safetensors file, a checkpoint, or a folder of either",
      completes: "file",
    },
  ],
  options: [
    {
      flags: "--limit <count>",
      description: "how many tensors, files and values to show; 50 when not given, all with --json",
    },
  ],
  examples: [
    {
      command: "tessera checkpoint inspect runs",
      shows: "which checkpoints there are, newest first",
    },
    { command: "tessera checkpoint inspect runs/step100", shows: "one checkpoint and its tensors" },
    {
      command: "tessera checkpoint inspect model.safetensors --json",
      shows: "the tensors of a file that others wrote, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/checkpoint-inspect.ts"),
};
