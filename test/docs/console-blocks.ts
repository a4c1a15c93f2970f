import { type Block, blocksOf } from "./markdown-blocks.ts";

/** One command of a document, with what it must print. */
export interface ConsoleCommand {
  /** Line of the document, counted from 1. */
  readonly line: number;
  readonly command: string;
  readonly exitCode: number;
  /** `…` stands for any text, and alone in a line for any lines. */
  readonly expected: readonly string[];
  /** What it needs beside this repository: a cluster, or a program such as fio. */
  readonly needs: string | undefined;
}

/** A piece of code that a document quotes from an example. */
export interface Quotation {
  readonly line: number;
  readonly path: string;
  readonly text: string;
}

/** The commands of all blocks marked `console`, in order. */
export function consoleCommands(markdown: string): readonly ConsoleCommand[] {
  return blocksOf(markdown)
    .filter(({ info }) => info.split(" ")[0] === "console")
    .flatMap((block) => commandsOf(block));
}

/** The blocks marked `ts`; the first line of each names its file. */
export function quotations(markdown: string): readonly Quotation[] {
  return blocksOf(markdown)
    .filter(({ info }) => info === "ts")
    .map(({ line, lines: [first = "", ...rest] }) => ({
      line,
      path: first.replace(/^\/\/ /, ""),
      text: rest.join("\n"),
    }));
}

/** The blocks marked `sh`, each as one script. */
export function shellBlocks(markdown: string): readonly string[] {
  return blocksOf(markdown)
    .filter(({ info }) => info === "sh")
    .map(({ lines }) => lines.join("\n"));
}

/** Whether what was printed is what the document shows. */
export function prints(expected: readonly string[], printed: string): boolean {
  const pattern = expected
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${patternOf(line)}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(printed.endsWith("\n") ? printed : `${printed}\n`);
}

function patternOf(line: string): string {
  return line
    .split("…")
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
    .join(".*");
}

function commandsOf({ line, info, lines }: Block): ConsoleCommand[] {
  const found: ConsoleCommand[] = [];
  for (const [at, text] of lines.entries()) {
    if (!text.startsWith("$ ")) continue;
    const end = lines.findIndex((other, index) => index > at && other.startsWith("$ "));
    const [, command = "", code = "0"] = /^\$ (.*?)(?: # exits with (\d+))?$/.exec(text) ?? [];
    found.push({
      line: line + at + 1,
      command,
      exitCode: Number(code),
      expected: lines.slice(at + 1, end === -1 ? undefined : end),
      needs: info.split(" ")[1],
    });
  }
  return found;
}
