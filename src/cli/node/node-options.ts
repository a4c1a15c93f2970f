import type { ArgumentSpec, OptionSpec } from "../command-spec.ts";

export const nodeArgument: ArgumentSpec = { name: "<node>", description: "the node's name" };

export const clusterOption: OptionSpec = {
  flags: "--cluster <name>",
  description: "its cluster, as the configuration names it; found in the store when not given",
};

export const reasonOption: OptionSpec = {
  flags: "--reason <text>",
  description: "why, for the audit log; required",
};
