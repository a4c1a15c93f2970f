import { basename } from "node:path";
import { commandTable } from "../../src/cli/commands/index.ts";
import { globalOptions } from "../../src/cli/global-options.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { blocksOf, inlineCode } from "./markdown-blocks.ts";
import { logicalLines, simpleCommands } from "./shell-words.ts";

/** A call of our program that a document names. */
export interface DocumentedCommand {
  readonly line: number;
  /** What follows the program's name. */
  readonly args: readonly string[];
  /** It stands in a block of commands, to be typed as it is; otherwise it is only named. */
  readonly complete: boolean;
}

/** Languages whose blocks are no commands: what is in them is text, data or programs. */
const notShell = new Set(["ts", "js", "json", "text", "dockerfile", "python"]);

/** What may stand in front of our name: it runs what follows. */
const carriers = new Set(["npx", "sudo", "exec", "time", "env"]);

/** What the program says of itself, quoted between backticks. */
const sayings = new Set(["tessera stopped"]);

/** All calls of our program in a document, in its blocks and between backticks. */
export function documentedCommands(markdown: string): readonly DocumentedCommand[] {
  const typed = blocksOf(markdown)
    .filter(({ info }) => !notShell.has(info.split(" ")[0] ?? ""))
    .flatMap(({ line, info, lines }) =>
      logicalLines(lines)
        .filter(({ text }) => !info.startsWith("console") || text.startsWith("$ "))
        .flatMap(({ at, text }) => callsIn(text.replace(/^\$ /, ""), line + at + 1, true)),
    );
  const named = inlineCode(markdown)
    .filter(({ text }) => !sayings.has(text))
    .flatMap(({ line, text }) => callsIn(text, line, false));
  return [...typed, ...named];
}

/** What is wrong with a call, by the program's own parser; undefined for one that it takes. */
export function wrongWith({ args, complete }: DocumentedCommand): string | undefined {
  return complete ? refusalOf(args) : unknownNames(args);
}

function callsIn(text: string, line: number, complete: boolean): DocumentedCommand[] {
  return simpleCommands(text).flatMap((words) => {
    const at = words.findIndex((word, index) => isOurs(word, words.slice(0, index)));
    return at === -1 ? [] : [{ line, args: words.slice(at + 1), complete }];
  });
}

/** Whether a word is our program and not, for example, the namespace of that name. */
function isOurs(word: string, before: readonly string[]): boolean {
  if (word === "/app/tessera.mjs") return true;
  if (basename(word) !== "tessera" || word.endsWith("/")) return false;
  if (before.length === 1 && before[0] === "kubectl") return true;
  return before.at(-1) === "--" || before.every((one) => carriers.has(one) || /^\w+=/.test(one));
}

/** Where a word leaves the choice to the reader, nothing can be said about it. */
function isOpen(word: string): boolean {
  return word.includes("…") || word === "..." || /^\[|^<[\w.]+>$/.test(word);
}

function refusalOf(args: readonly string[]): string | undefined {
  if (args.some(isOpen)) return unknownNames(args);
  const redirected = args.findIndex((word) => /^\d?[<>]/.test(word));
  const given = redirected === -1 ? args : args.slice(0, redirected);
  try {
    buildProgram({
      table: commandTable,
      width: 80,
      write: () => undefined,
      select: () => undefined,
      incomplete: () => undefined,
    }).parse([...given], { from: "user" });
    return undefined;
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    return /^commander\.(?:version|help)/.test(code) ? undefined : message;
  }
}

function unknownNames(args: readonly string[]): string | undefined {
  const open = args.findIndex(
    (word) => isOpen(word) || word.startsWith("-") || /[^a-z-]/.test(word),
  );
  const words = open === -1 ? args : args.slice(0, open);
  const { specs, internal = [], groups } = commandTable;
  const all = [...specs, ...internal];
  const spec = words
    .map((_, index) => words.slice(0, words.length - index).join(" "))
    .map((name) => all.find((one) => one.name === name))
    .find((one) => one !== undefined);
  const flags = args
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.replace(/=.*/, ""));
  const known = [...globalOptions, ...(spec?.options ?? [])].flatMap((option) =>
    option.flags.split(/[\s,|]+/).filter((part) => part.startsWith("-")),
  );
  const unknown = flags.find((flag) => !["--help", "--version", ...known].includes(flag));
  if (spec === undefined && words.length > 0 && !(words.join(" ") in groups)) {
    return `there is no command ${words.join(" ")}`;
  }
  return unknown === undefined ? undefined : `it has no option ${unknown}`;
}
