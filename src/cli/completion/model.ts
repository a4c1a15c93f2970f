import assert from "node:assert/strict";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command-spec.ts";
import { globalOptions } from "../global-options.ts";
import type { CommandTable } from "../program.ts";

/** What can be typed as a value. */
export interface CompletionValue {
  readonly words: readonly string[];
  readonly completes?: "file" | "directory";
}

export interface CompletionOption {
  /** As typed: `-n`, `--nodes`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Absent for options that stand alone. */
  readonly value?: CompletionValue;
}

/** A place on the command line: the program, a group of commands, or a command. */
export interface CompletionNode {
  /** The words up to here, without the program's name: `config print`. */
  readonly path: string;
  readonly children: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletionOption[];
  readonly arguments: readonly (CompletionValue & { readonly variadic: boolean })[];
}

/** What can follow what, for every place there is. Shell scripts are written from this alone. */
export function completionNodes(table: CommandTable): readonly CompletionNode[] {
  const paths = new Set(table.specs.flatMap(({ name }) => prefixes(name)));
  return [...paths].map((path) => nodeAt(path, table));
}

/** Every option of every command that takes a value, with the places where it does. */
export function valueOptions(nodes: readonly CompletionNode[]): readonly {
  readonly path: string;
  readonly name: string;
  readonly value: CompletionValue;
}[] {
  return nodes.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((name) => ({ path, name, value })),
    ),
  );
}

function nodeAt(path: string, table: CommandTable): CompletionNode {
  const spec = table.specs.find(({ name }) => name === path);
  const version = { names: ["--version", "-V"], description: "print the version" };
  return {
    path,
    children: childrenOf(path, table),
    options: [
      ...(spec?.options ?? []).map(optionOf),
      ...globalOptions.map(optionOf),
      { names: ["--help", "-h"], description: "print this help" },
      ...(path === "" ? [version] : []),
    ],
    arguments: (spec?.arguments ?? []).map(argumentOf),
  };
}

function childrenOf(path: string, table: CommandTable): CompletionNode["children"] {
  const children = new Map<string, string>();
  for (const spec of table.specs) {
    const name = nextWord(spec, path);
    if (name === undefined) continue;
    const full = path === "" ? name : `${path} ${name}`;
    children.set(name, spec.name === full ? spec.summary : (table.groups[full] ?? ""));
  }
  return [...children].map(([name, description]) => ({ name: safe(name), description }));
}

function nextWord({ name }: CommandSpec, path: string): string | undefined {
  if (path === "") return name.split(" ")[0];
  return name.startsWith(`${path} `) ? name.slice(path.length + 1).split(" ")[0] : undefined;
}

function optionOf({ flags, description, choices, completes }: OptionSpec): CompletionOption {
  const names = flags.match(/(?<=^|[\s,|])--?[\w-]+/g) ?? [];
  const value = { words: (choices ?? []).map(safe), ...(completes && { completes }) };
  return { names, description, ...(/[<[]/.test(flags) ? { value } : {}) };
}

function argumentOf(spec: ArgumentSpec): CompletionNode["arguments"][number] {
  const words = (spec.choices ?? spec.suggestions?.() ?? []).map(safe);
  const variadic = spec.name.includes("...");
  return { words, variadic, ...(spec.completes && { completes: spec.completes }) };
}

/** `config print` is reached by way of the program itself and of `config`. */
function prefixes(name: string): string[] {
  const words = name.split(" ");
  return ["", ...words.map((_, index) => words.slice(0, index + 1).join(" "))];
}

/** Words go into the scripts as they are, so they must mean nothing to a shell. */
function safe(word: string): string {
  assert(/^[\w.@%+,/-]+$/.test(word), `${word} would need quoting in a completion script`);
  return word;
}
