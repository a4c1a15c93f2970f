import type { CommandSpec } from "../command-spec.ts";
import { clusterOption, nodeArgument, reasonOption } from "../node/node-options.ts";

export const nodeReleaseCommand: CommandSpec = {
  name: "node release",
  summary: "give a node back to users, whatever its checks have shown",
  description:
    "Ends a hold, or opens a node that was closed because it failed, without waiting for its acceptance. It is not closed again for runs that ended before; a new failure closes it. Done by the loop of its cluster when `validation.act.mode` is `on`. A node that somebody else closed stays closed.",
  arguments: [nodeArgument],
  options: [clusterOption, reasonOption],
  examples: [
    {
      command: 'tessera node release gpu-017 --reason "known slow disk, accepted"',
      shows: "a node opened in spite of what its checks say",
    },
  ],
  reports: false,
  load: () => import("../actions/node-release.ts"),
};
