import type { CommandSpec } from "../command-spec.ts";

export const checkpointReshardCommand: CommandSpec = {
  name: "checkpoint reshard",
  summary: "write a checkpoint again as another mesh would have saved it",
  description:
    "Reads a checkpoint, lays its tensors out on another mesh, writes it to another root and proves that every tensor kept its digest. Axes keep their placement by name; an axis that the new mesh does not have no longer splits, and a new one replicates. The source stays as it is, and nothing is ever overwritten.",
  arguments: [
    { name: "<from>", description: "a checkpoint, or a root: its newest", completes: "directory" },
  ],
  options: [
    { flags: "--to <mesh>", description: "the axes of the new mesh, such as tp=8,dp=9" },
    {
      flags: "--out <root>",
      description: "the folder that the new checkpoint is written to",
      completes: "directory",
    },
    { flags: "--tag <tag>", description: "what to call it; as before when not given" },
    { flags: "--dry-run", description: "only say what would be written" },
  ],
  examples: [
    {
      command: "tessera checkpoint reshard runs/step100 --to tp=8,dp=9 --out resharded --dry-run",
      shows: "which tensors would lie how on the new mesh, and how much would be written",
    },
    {
      command: "tessera checkpoint reshard runs --to tp=8,dp=9 --out resharded --tag step100-tp8",
      shows: "the newest checkpoint of a run, written for another mesh under another tag",
    },
  ],
  reports: false,
  load: () => import("../actions/checkpoint-reshard.ts"),
};
