import type { CommandSpec } from "../command-spec.ts";

export const chaosLintTimeoutsCommand: CommandSpec = {
  name: "chaos lint-timeouts",
  summary: "find timeouts that would cut the recovery of others short",
  description:
    "Timeouts must be nested: what is inside notices and recovers before what is outside kills it. Compares the timeouts of a file with each other and says of each pair that does not fit what goes wrong and what to set. The file is an experiment (its `timeouts`), or a mapping of names to durations; `order: [a, b, c]` beside it, from the innermost outwards, makes rules for names of your own. Exit code 0 when all that could be compared fits, 1 with findings, 2 for a file that is none, 3 when no two timeouts of it have anything to do with each other.",
  arguments: [
    {
      name: "<file>",
      description: "an experiment, or a YAML file of timeouts",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera chaos lint-timeouts experiment.yaml",
      shows: "whether its heartbeats, exchanges and rendezvous fit together",
    },
    {
      command: "tessera chaos lint-timeouts timeouts.yaml --json",
      shows:
        "the same for programs: { ok, compared, findings: [{ rule, inner, outer, why, set }] }",
    },
  ],
  reports: false,
  load: () => import("../actions/chaos-lint-timeouts.ts"),
};
