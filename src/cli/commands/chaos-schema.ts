import type { CommandSpec } from "../command-spec.ts";

export const chaosSchemaCommand: CommandSpec = {
  name: "chaos schema",
  summary: "print the JSON Schema of experiment files",
  description:
    "Prints the JSON Schema of the files that `tessera chaos run` reads. Editors use it to complete and check them.",
  examples: [
    {
      command: "tessera chaos schema > experiment.schema.json",
      shows: "a file for the editor's YAML support",
    },
  ],
  reports: false,
  load: () => import("../actions/chaos-schema.ts"),
};
