import type { CommandSpec } from "../command-spec.ts";

/** The states, spelled out so that help and completion load nothing. */
const states = ["candidate", "active", "superseded", "rejected", "expired"];

export const baselineListCommand: CommandSpec = {
  name: "baseline list",
  summary: "list what was learned as usual, newest first",
  description:
    "Lists the baselines in the store: what healthy nodes of a cluster, SKU, check and cohort showed, and where each stands in its life. Only active ones are compared with.",
  options: [
    { flags: "--state <state>", description: "only those in this state", choices: states },
    { flags: "--cluster <name>", description: "only those of this cluster" },
    { flags: "--check <name>", description: "only those of this check" },
    { flags: "--sku <name>", description: "only those of this SKU" },
  ],
  examples: [
    { command: "tessera baseline list", shows: "every baseline" },
    {
      command: "tessera baseline list --state active --json",
      shows: "those in force, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/baseline-list.ts"),
};
