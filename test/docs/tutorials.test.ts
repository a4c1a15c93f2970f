import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type ConsoleCommand, consoleCommands, prints, quotations } from "./console-blocks.ts";
import { simpleCommands } from "./shell-words.ts";

const folder = join(root, "docs", "tutorials");
const tutorials = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** Under load each of its commands takes several times as long as by itself. */
const limitMs = 900_000;

const fio = spawnSync("fio", ["--version"]).status === 0;

function tesseraArgs({ command }: ConsoleCommand): readonly string[] | undefined {
  const [[program, name, ...args] = []] = simpleCommands(command);
  return program === "npx" && name === "tessera" ? args : undefined;
}

/** Runs commands one after the other in a new folder, and compares what they print. */
async function follow(commands: readonly ConsoleCommand[]): Promise<void> {
  const dir = await tempDir();
  symlinkSync(join(root, "examples"), join(dir, "examples"));
  for (const one of commands) {
    const args = tesseraArgs(one);
    expect(args, `line ${one.line} is no command of ours: ${one.command}`).toBeDefined();
    const { code, stdout, stderr } = await runCli(args ?? [], {
      cwd: dir,
      env: { HOME: dir, TESSERA_DATA_DIR: join(dir, "data"), COLUMNS: "100" },
      limitMs: 110_000,
    });
    const where = `line ${one.line}: ${one.command}\n${stderr}`;
    expect(code, `${where}\n${stdout}`).toBe(one.exitCode);
    expect(prints(one.expected, stdout), `${where}\nprinted:\n${stdout}`).toBe(true);
  }
}

describe.each(tutorials)("the tutorial $name", ({ text }) => {
  const commands = consoleCommands(text);
  const withFio = commands.filter(({ needs }) => needs === "fio");

  it("shows what its commands print", { timeout: limitMs }, async () => {
    await follow(commands.filter(({ needs }) => needs === undefined));
  });

  if (withFio.length > 0) {
    it.skipIf(!fio)(
      `shows what its commands print that need fio${fio ? "" : " (skipped: no fio)"}`,
      { timeout: limitMs },
      () => follow(withFio),
    );
  }

  it("says something about each command that it runs", () => {
    const silent = commands.filter(
      ({ needs, expected }) =>
        needs !== "cluster" && expected.every((line) => line === "" || line === "…"),
    );
    expect(silent.map(({ line, command }) => `line ${line}: ${command}`)).toEqual([]);
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

  it("names the command, its exit code and what it needs", () => {
    const text =
      "```console\n$ npx a # exits with 3\nout\n$ npx b\n```\n```console cluster\n$ c\n```\n";
    expect(consoleCommands(text)).toMatchObject([
      { line: 2, command: "npx a", exitCode: 3, expected: ["out"], needs: undefined },
      { line: 4, command: "npx b", exitCode: 0, expected: [] },
      { command: "c", needs: "cluster" },
    ]);
  });
});
