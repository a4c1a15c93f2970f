import type { CommandSpec } from "../command-spec.ts";

export const chaosReplayCommand: CommandSpec = {
  name: "chaos replay",
  summary: "do a run again from its journal, and compare it bit for bit",
  description:
    "Runs the plan of a journal again in the simulator and compares trace hash, final state, outcome and signature. When something differs, it says what, and names the first event and the place in the trace where the two runs part. A journal of another world is compared by its state and outcome. Exit code 0 when it came out the same, 1 when not, 2 for a file that is no journal, or is cut or changed.",
  arguments: [
    {
      name: "<journal>",
      description: "what `tessera chaos run --journal` wrote",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera chaos replay run.journal",
      shows: "whether the run comes out the same here",
    },
    {
      command: "tessera chaos replay run.journal --json",
      shows: "the same for programs: { same, differences, firstEvent, firstEntry, … }",
    },
  ],
  reports: false,
  load: () => import("../actions/chaos-replay.ts"),
};
