import type { CommandSpec } from "../command-spec.ts";
import { clusterOption, nodeArgument, reasonOption } from "../node/node-options.ts";

export const nodeHoldCommand: CommandSpec = {
  name: "node hold",
  summary: "keep a node from users until it is released by hand",
  description:
    "Writes down that a person wants a node closed. The loop of its cluster closes it when `validation.act.mode` is `on`, tests it no more, and never opens it by itself, whatever its checks show. The circuit breaker does not stop a person, but counts the node.",
  arguments: [nodeArgument],
  options: [clusterOption, reasonOption],
  examples: [
    {
      command: 'tessera node hold gpu-017 --reason "fan swap at 14:00"',
      shows: "a node taken away from users",
    },
  ],
  reports: false,
  load: () => import("../actions/node-hold.ts"),
};
