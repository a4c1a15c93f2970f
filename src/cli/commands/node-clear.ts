import type { CommandSpec } from "../command-spec.ts";
import { reasonOption } from "../node/node-options.ts";

export const nodeClearCommand: CommandSpec = {
  name: "node clear",
  summary: "take everything of Tessera's off nodes, and open those it closed",
  description:
    "For the end: looks at the cluster itself and takes off labels, annotations, comments and reservations that Tessera wrote, and opens the nodes that it closed. What somebody else closed stays closed, and what somebody else wrote stays, the labels that speak to Tessera included. Without `--yes` it only says what it would do. Stop the loop of the cluster first: it would write its marks again. What is done is in the audit log.",
  arguments: [{ name: "[node]", description: "the node's name" }],
  options: [
    { flags: "--all", description: "every node with something on it instead" },
    {
      flags: "--cluster <name>",
      description: "only of this cluster of the configuration; all of them when not given",
    },
    { flags: "--yes", description: "do it; without this it is only said" },
    { ...reasonOption, description: "why, for the audit log; required with --yes" },
  ],
  examples: [
    { command: "tessera node clear --all", shows: "what Tessera has left on nodes" },
    {
      command: 'tessera node clear --all --yes --reason "Tessera is uninstalled"',
      shows: "nodes as if Tessera had never been there",
    },
  ],
  reports: false,
  load: () => import("../actions/node-clear.ts"),
};
