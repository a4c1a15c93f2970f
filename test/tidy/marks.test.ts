import { describe, expect, it } from "vitest";
import { marksRule } from "./lib/marks.ts";
import { found, plant } from "./lib/planted.ts";

function marks(path: string, text: string): string[] {
  return found(marksRule, plant({ [path]: text })).map((line) => line.replace(/^\S+ /, ""));
}

describe("unfinished work", () => {
  it.each([
    ["src/cli/main.ts", "// TODO: finish", "TODO"],
    ["src/cli/main.ts", "/** FIXME */ export const x = 1;", "FIXME"],
    [".ci/run", "# TODO later", "TODO"],
    ["charts/tessera/values.yaml", "  # FIXME", "FIXME"],
  ])("%s: %s is found", (path, text, what) => {
    expect(marks(path, text)).toEqual([what]);
  });

  it.each([
    ["src/cli/main.ts", "const text = 'TODO';"],
    ["src/cli/main.ts", "// a list of todos"],
    ["docs/cli.md", "A TODO in prose is the author's business"],
  ])("%s: %s is not", (path, text) => {
    expect(marks(path, text)).toEqual([]);
  });
});

describe("tests that would not run", () => {
  const path = "test/cli/x.test.ts";

  it.each([
    ["it.only('x', run);", "it.only"],
    ["describe.only('x', run);", "describe.only"],
    ["test.concurrent.only('x', run);", "test.concurrent.only"],
    ["it.skip('x', run);", "it.skip"],
    ["describe.skip('x', run);", "describe.skip"],
    ["if (isLinux) describe('x', () => { it.skip('y', run); });", "it.skip"],
    ["it.todo('x');", "it.todo"],
    ["it.skipIf(true)('x', run);", "it.skipIf"],
    ["describe.runIf(false)('x', run);", "describe.runIf"],
    ["vi.mock('../../src/cli/main.ts');", "vi.mock"],
  ])("%s is found", (text, what) => {
    expect(marks(path, text)).toEqual([what]);
  });

  it.each([
    "it('x', run);",
    "it.skipIf(reason !== undefined)('x', run);",
    "if (isAbsent) describe.skip('x (needs root)', run);",
    "const maybe = isAbsent ? it.skip : it;",
    "it.each([1])('x', run);",
    "const options = { only: true, skip: 1 };",
    "reader.skip(4);",
    "vi.fn();",
  ])("%s is not", (text) => {
    expect(marks(path, text)).toEqual([]);
  });
});

describe("paths of somebody's machine", () => {
  const folders = ["home/anna", "Users/anna", "root", "work"].map((name) => `/${name}/`);

  it.each(folders)("%s is found in code and documents", (folder) => {
    expect(marks("src/cli/main.ts", `const file = "${folder}x";`)).toEqual([folder]);
    expect(marks("docs/cli.md", `Look at ${folder}x.`)).toEqual([folder]);
  });

  it("may be made up in a test", () => {
    expect(marks("test/cli/x.test.ts", 'const home = "/home/anna/x";')).toEqual([]);
  });

  it.each(["/var/lib/root/x", "src/work/x", "https://example.org/home/anna/", "~/x"])(
    "%s is not",
    (text) => {
      expect(marks("docs/cli.md", `Look at ${text}.`)).toEqual([]);
    },
  );
});
