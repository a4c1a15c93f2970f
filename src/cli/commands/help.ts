import type { CommandSpec } from "../command-spec.ts";
import type { CommandTable } from "../program.ts";

/** Needs the table it is part of, to know what there is to help with. */
export function helpCommand(table: () => CommandTable): CommandSpec {
  return {
    name: "help",
    summary: "show the help of a command",
    arguments: [
      {
        name: "[command...]",
        description: "the command; without it, all are listed",
        suggestions: () => [...new Set(table().specs.flatMap(({ name }) => name.split(" ")))],
      },
    ],
    examples: [{ command: "tessera help config print", shows: "the help of `config print`" }],
    reports: false,
    load: async () => {
      const { createRun } = await import("../actions/help.ts");
      return { run: createRun(table()) };
    },
  };
}
