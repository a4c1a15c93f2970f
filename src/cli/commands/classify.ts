import type { CommandSpec } from "../command-spec.ts";

export const classifyCommand: CommandSpec = {
  name: "classify",
  summary: "tell good nodes from bad by the runs in a file",
  description:
    "Compares the runs of a JSON Lines file with each other and says for each what it shows about its node: pass, warn, suspect, fail or unknown, with the figure, the bound and the cohort behind it. With --json it prints one line for each line of the file, in the same order. Exit code 0 when every run is pass or warn, 1 when one is fail, 3 when one is suspect or unknown. docs/classification.md says how.",
  arguments: [
    { name: "<file>", description: "the runs, one JSON object a line", completes: "file" },
  ],
  options: [
    {
      flags: "--all",
      description: "also list the runs that pass; without --json only the others are",
    },
  ],
  examples: [
    { command: "tessera classify runs.jsonl", shows: "the runs that do not pass, and why" },
    { command: "tessera classify runs.jsonl --json", shows: "one verdict a line, for programs" },
  ],
  load: () => import("../actions/classify.ts"),
};
