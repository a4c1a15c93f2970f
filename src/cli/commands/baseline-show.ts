import type { CommandSpec } from "../command-spec.ts";

export const baselineShowCommand: CommandSpec = {
  name: "baseline show",
  summary: "show a baseline: its figures, and what it was learned from",
  description:
    "Shows the figures of a baseline, which runs and nodes it was learned from, which were left out and why, and what speaks against activating it.",
  arguments: [{ name: "<id>", description: "its id, or a beginning of it that no other shares" }],
  examples: [
    { command: "tessera baseline show bl-3f9c21d07a54", shows: "everything about one baseline" },
  ],
  reports: false,
  load: () => import("../actions/baseline-show.ts"),
};
