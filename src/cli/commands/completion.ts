import type { CommandSpec } from "../command-spec.ts";
import type { CommandTable } from "../program.ts";

/** Needs the table it is part of, to know what there is to complete. */
export function completionCommand(table: () => CommandTable): CommandSpec {
  return {
    name: "completion",
    summary: "print a script that completes commands and options in a shell",
    arguments: [
      {
        name: "<shell>",
        description: "the shell to make it for",
        choices: ["bash", "zsh", "fish"],
      },
    ],
    examples: [
      { command: 'eval "$(tessera completion bash)"', shows: "completion in this bash" },
      {
        command: 'tessera completion zsh > "${fpath[1]}/_tessera"',
        shows: "completion in every new zsh",
      },
      {
        command: "tessera completion fish > ~/.config/fish/completions/tessera.fish",
        shows: "completion in every new fish",
      },
    ],
    reports: false,
    load: async () => {
      const { createRun } = await import("../actions/completion.ts");
      return { run: createRun(table()) };
    },
  };
}
