import type { CommandSpec } from "../command-spec.ts";

export const configSchemaCommand: CommandSpec = {
  name: "config schema",
  summary: "print the JSON Schema of the configuration file",
  description:
    "Prints the JSON Schema of the configuration file. Editors use it to complete and check tessera.yaml; the package carries the same as tessera-qa/config.schema.json.",
  examples: [
    {
      command: "tessera config schema > tessera.schema.json",
      shows: "a file for the editor's YAML support",
    },
  ],
  reports: false,
  load: () => import("../actions/config-schema.ts"),
};
