import type { CommandSpec } from "../command-spec.ts";
import { clusterOption, nodeArgument } from "../node/node-options.ts";

export const nodeShowCommand: CommandSpec = {
  name: "node show",
  summary: "show what is known about a node: verdicts, runs, events",
  description:
    "Shows what the store has about a node: the verdict of each check and why, its last runs, what happened to it, and who keeps it from users. Asks no cluster; `tessera nodes` does.",
  arguments: [nodeArgument],
  options: [clusterOption],
  examples: [
    { command: "tessera node show gpu-017", shows: "why a node is not healthy" },
    { command: "tessera node show gpu-017 --json", shows: "the same for programs" },
  ],
  reports: false,
  load: () => import("../actions/node-show.ts"),
};
