import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type ConsoleCommand, consoleCommands, prints, quotations } from "./console-blocks.ts";

const folder = join(root, "docs", "tutorials");
const tutorials = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** The words of a command line; tutorials quote with double quotes only. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

function tesseraArgs({ command }: ConsoleCommand): readonly string[] | undefined {
  const [program, name, ...args] = wordsOf(command);
  return program === "npx" && name === "tessera" ? args : undefined;
}

describe.each(tutorials)("the tutorial $name", ({ text }) => {
  const runnable = consoleCommands(text).filter(({ needsCluster }) => !needsCluster);

  it("shows what its commands print", async () => {
    const dir = await tempDir();
    symlinkSync(join(root, "examples"), join(dir, "examples"));
    for (const one of runnable) {
      const args = tesseraArgs(one);
      expect(args, `line ${one.line} is no command of ours: ${one.command}`).toBeDefined();
      const { code, stdout, stderr } = await runCli(args ?? [], {
        cwd: dir,
        env: { HOME: dir, TESSERA_DATA_DIR: join(dir, "data"), COLUMNS: "100" },
        limitMs: 110_000,
      });
      const where = `line ${one.line}: ${one.command}\n${stderr}`;
      expect(code, where).toBe(one.exitCode);
      expect(prints(one.expected, stdout), `${where}\nprinted:\n${stdout}`).toBe(true);
    }
  });

  it("quotes its examples as they are", () => {
    for (const { path, text: quoted, line } of quotations(text)) {
      const squeezed = (of: string) => of.replaceAll(/\s+/g, " ").trim();
      const source = squeezed(readFileSync(join(root, path), "utf8"));
      expect(source, `line ${line}`).toContain(squeezed(quoted));
    }
  });
});

describe("what a document shows", () => {
  it("fits what was printed, line by line, with room for what differs", () => {
    expect(prints(["a … c", "…", "end"], "a b c\nx\ny\nend\n")).toBe(true);
    expect(prints(["a", "…"], "a\n")).toBe(true);
  });

  it("does not fit a missing, another or an additional line", () => {
    expect(prints(["a", "b"], "a\n")).toBe(false);
    expect(prints(["a", "b"], "a\nc\n")).toBe(false);
    expect(prints(["a"], "a\nb\n")).toBe(false);
    expect(prints(["a.c"], "abc\n")).toBe(false);
  });

  it("names the command, its exit code and where it needs a cluster", () => {
    const text =
      "```console\n$ npx a # exits with 3\nout\n$ npx b\n```\n```console cluster\n$ c\n```\n";
    expect(consoleCommands(text)).toMatchObject([
      { line: 2, command: "npx a", exitCode: 3, expected: ["out"], needsCluster: false },
      { line: 4, command: "npx b", exitCode: 0, expected: [] },
      { command: "c", needsCluster: true },
    ]);
  });
});
