import { parseCommandLine } from "../../src/cli/command-line.ts";
import type { CommandSpec, OptionSpec } from "../../src/cli/command-spec.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import { exitCodeTable } from "../../src/cli/exit-code-table.ts";
import { globalOptions } from "../../src/cli/global-options.ts";
import { block, code, table } from "./markdown.ts";

/** docs/cli.md. */
export function cliPage(): string {
  const overview = commandTable.specs.map(({ name, summary }) => [
    `[${code(`tessera ${name}`)}](#tessera-${name.replaceAll(" ", "-")})`,
    summary,
  ]);
  const codes = exitCodeTable.map(({ code: exitCode, meaning }) => [String(exitCode), meaning]);
  return `# Command line

${table(["command", "what it does"], overview)}
## Everywhere

${optionTable(globalOptions)}
- These options may stand before or after the command. An option's value may follow a space or \`=\`.
- Results go to stdout, logs and errors to stderr. With \`--json\` stdout holds JSON and nothing else;
  an error is one more line there, \`{"error":{"code","message","hint","details"}}\`, beside the
  paragraph on stderr ([errors.md](errors.md)).
- \`tessera\` without a command prints its help on stderr and ends with 2, so that a script whose
  variable is empty does not look as if it had done something. \`tessera --help\` and \`tessera help\`
  print it on stdout and end with 0.
- SIGINT and SIGTERM ask a command to stop; a second one, half a second later or more, ends it at once.
- Colours: \`--no-color\` turns them off. Then \`FORCE_COLOR\` turns them on (\`0\`: off), \`NO_COLOR\` turns
  them off, and else a terminal gets them and a file or pipe does not.
- A value that is not given on the command line comes from the environment, the configuration file
  or a default ([configuration.md](configuration.md)).

## Exit codes

${table(["code", "meaning"], codes)}
When nobody reads the output any more (\`tessera ... | head\`), a command stops without a word and ends
with 141, as the system's own tools do.

${commandTable.specs.map(commandSection).join("\n")}`;
}

function commandSection(spec: CommandSpec): string {
  const parts = [`## tessera ${spec.name}\n`, `${sentence(spec.description ?? spec.summary)}\n`];
  parts.push(block(usageOf(spec)));
  if (spec.arguments !== undefined) {
    const rows = spec.arguments.map(({ name, description, choices }) => [
      code(name),
      withChoices(description, choices),
    ]);
    parts.push(table(["argument", "meaning"], rows));
  }
  if (spec.options !== undefined) parts.push(optionTable(spec.options));
  const examples = spec.examples.map(({ command, shows }) => `# ${shows}\n${command}`);
  parts.push(block(examples.join("\n\n"), "sh"));
  return parts.join("\n");
}

function optionTable(options: readonly OptionSpec[]): string {
  const rows = options.map(({ flags, description, choices, configKey }) => [
    code(flags),
    withChoices(description, choices),
    configKey === undefined ? "" : code(configKey),
  ]);
  return table(["option", "meaning", "sets"], rows);
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.map(code).join(", ")}`;
}

/** The first line of the command's help, which commander writes. */
function usageOf({ name }: CommandSpec): string {
  const request = parseCommandLine([...name.split(" "), "--help"], {
    table: commandTable,
    width: 200,
  });
  const text = request.kind === "help" ? request.text : "";
  return /^Usage: (?<usage>.*)$/m.exec(text)?.groups?.["usage"] ?? "";
}

function sentence(text: string): string {
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return capital.endsWith(".") ? capital : `${capital}.`;
}
