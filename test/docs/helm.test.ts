import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/lib/repository.ts";
import { documents } from "./documents.ts";
import { blocksOf, inlineCode } from "./markdown-blocks.ts";
import { logicalLines, simpleCommands } from "./shell-words.ts";

const chart = join(root, "charts", "tessera");
const values: unknown = parse(readFileSync(join(chart, "values.yaml"), "utf8"));

/** Without these the chart's schema refuses to install. */
const musts = ["image.repository", "validation.image"];

/** What keeps documents from setting what the chart does not have, or installing what it refuses. */
function wrongWithHelm(words: readonly string[]): string | undefined {
  const set = words.flatMap((word, at) => (word === "--set" ? [words[at + 1] ?? ""] : []));
  const names = set.map((one) => one.replace(/=.*/, ""));
  const unknown = names.find((name) => !isValue(name.split(".")));
  if (unknown !== undefined) return `the chart has no value ${unknown}`;
  const installs = words.includes("--install") || words[1] === "install";
  const missing = installs ? musts.find((name) => !names.includes(name)) : undefined;
  return missing === undefined ? undefined : `the chart is refused without ${missing}`;
}

function isValue(path: readonly string[]): boolean {
  let at = values;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !(name in at)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
}

function helmCommands(markdown: string): readonly (readonly string[])[] {
  const typed = blocksOf(markdown).flatMap(({ lines }) => logicalLines(lines));
  return [...typed, ...inlineCode(markdown)]
    .flatMap(({ text }) => simpleCommands(text.replace(/^\$ /, "")))
    .filter((words) => words[0] === "helm" && words.includes("charts/tessera"));
}

it.each(documents.filter(({ text }) => helmCommands(text).length > 0))(
  "$name installs the chart with values that it has, and with all that it needs",
  ({ text }) => {
    const wrong = helmCommands(text).flatMap((words) => wrongWithHelm(words) ?? []);
    expect(wrong).toEqual([]);
  },
);

describe("a Helm command of a document", () => {
  const wrongIn = (text: string) => helmCommands(text).map((words) => wrongWithHelm(words));

  it("is found in blocks and between backticks, over several lines", () => {
    const set = "--set image.repository=a --set validation.image=b";
    const text = `\`\`\`\nhelm upgrade --install x charts/tessera \\\n  ${set}\n\`\`\`\n`;
    expect(wrongIn(text)).toEqual([undefined]);
  });

  it("is refused without images, and with a value that does not exist", () => {
    expect(wrongIn("`helm install tessera charts/tessera`")).toEqual([
      "the chart is refused without image.repository",
    ]);
    expect(wrongIn("`helm upgrade tessera charts/tessera --set replica=2`")).toEqual([
      "the chart has no value replica",
    ]);
  });
});
