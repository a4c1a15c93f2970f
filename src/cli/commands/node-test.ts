import type { CommandSpec } from "../command-spec.ts";
import { clusterOption, nodeArgument, reasonOption } from "../node/node-options.ts";

export const nodeTestCommand: CommandSpec = {
  name: "node test",
  summary: "ask for a run on a node now, ahead of the routine",
  description:
    "Writes down that a person wants a node tested. The loop of its cluster begins each check as soon as the node is free and the guard rails let it, ahead of its routine; `tessera plan` says what keeps it waiting. The wish holds for a week.",
  arguments: [nodeArgument],
  options: [
    clusterOption,
    {
      flags: "--check <name>",
      description: "only this check; every check of the cluster when not given",
    },
    reasonOption,
  ],
  examples: [
    {
      command: 'tessera node test gpu-017 --check nccl-loopback --reason "cable was replaced"',
      shows: "a node tested after somebody worked on it",
    },
  ],
  reports: false,
  load: () => import("../actions/node-test.ts"),
};
