import type { CommandSpec } from "../command-spec.ts";

export const checkpointDiffCommand: CommandSpec = {
  name: "checkpoint diff",
  summary: "say how two checkpoints or safetensors files differ, whatever their layouts",
  description:
    "Compares tensors by name, dtype, shape and bits, and of checkpoints also the rest of the state. Two checkpoints are compared by the digests of their manifests, which do not depend on the mesh; elements are read only where those differ. Exit code 0 when both hold the same, 1 when they differ, 2 when a path is missing.",
  arguments: [
    { name: "<a>", description: "a file, a checkpoint, or a root: its newest", completes: "file" },
    { name: "<b>", description: "what to compare it with", completes: "file" },
  ],
  options: [
    {
      flags: "--limit <count>",
      description: "how many differences of each kind to show; 20 when not given, all with --json",
    },
  ],
  examples: [
    {
      command: "tessera checkpoint diff runs/step100 runs/step200",
      shows: "which tensors changed, where first and by how much",
    },
    {
      command: "tessera checkpoint diff runs/step100 resharded/step100 --json",
      shows: "that a checkpoint of another mesh holds the same bits, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/checkpoint-diff.ts"),
};
