import { describe, expect, it } from "vitest";
import { lengthLimits, lengthRule } from "./lib/length.ts";
import { found, plant } from "./lib/planted.ts";

const { fileLines, functionLines, lineColumns } = lengthLimits;

function lines(count: number, line = "step();"): string {
  return `${line}\n`.repeat(count);
}

function findingsIn(text: string, path = "src/cli/main.ts"): string[] {
  return found(lengthRule, plant({ [path]: text }));
}

describe("files", () => {
  it("may have as many lines as the limit", () => {
    expect(findingsIn(lines(fileLines))).toEqual([]);
  });

  it("may not have one more", () => {
    expect(findingsIn(lines(fileLines + 1))).toEqual(["src/cli/main.ts file"]);
  });

  it("are measured only when they are code", () => {
    expect(findingsIn(lines(fileLines + 1), "docs/cli.md")).toEqual([]);
  });
});

describe("functions", () => {
  const body = (count: number) => lines(count - 2);

  it.each([
    ["function work() {\n", "}", "work"],
    ["const work = () => {\n", "};", "work"],
    ["const work = async function () {\n", "};", "work"],
    ["class A { #work() {\n", "} }", "a method"],
    ["class A { work() {\n", "} }", "work"],
    ["const a = { work() {\n", "} };", "work"],
    ["run(() => {\n", "});", "a function"],
  ])("%s...%s may reach the limit and not pass it", (open, close, name) => {
    expect(findingsIn(open + body(functionLines) + close)).toEqual([]);
    expect(findingsIn(open + body(functionLines + 1) + close)).toEqual([
      `src/cli/main.ts:1 ${name}`,
    ]);
  });

  it("does not count a describe block, which is a list of tests", () => {
    for (const call of [
      "describe",
      "describe.each([1])",
      "describe.skipIf(isAbsent)",
      "describeCluster",
    ]) {
      const text = `${call}("x", () => {\n${lines(functionLines + 10)}});`;
      expect(findingsIn(text, "test/cli/x.test.ts")).toEqual([]);
    }
  });

  it("does not count a function of the tests that registers tests for several suites", () => {
    const text = `export function suite() {\n  it("x", run);\n${lines(functionLines + 10)}}`;
    expect(findingsIn(text, "test/store/suite.ts")).toEqual([]);
    expect(findingsIn(text, "src/store/suite.ts")).toHaveLength(1);
  });

  it("counts a test in it", () => {
    const text = `it("x", () => {\n${lines(functionLines + 10)}});`;
    expect(findingsIn(text, "test/cli/x.test.ts")).toEqual(["test/cli/x.test.ts:1 a function"]);
  });
});

describe("lines", () => {
  it("may not pass the limit", () => {
    const comment = `// ${"word ".repeat(lineColumns / 4)}`;
    expect(findingsIn(`start();\n${comment}\n`)).toEqual(["src/cli/main.ts:2 line"]);
  });

  it("may when they hold a sentence that belongs together", () => {
    const sentence = "word ".repeat(lineColumns / 4);
    expect(findingsIn(`const hint = "${sentence}";`)).toEqual([]);
    expect(
      findingsIn(`const hint = \`${sentence.slice(0, 70)}\${x}${sentence.slice(70)}\`;`),
    ).toEqual([]);
    expect(findingsIn(`const pattern = /${"ab".repeat(lineColumns)}/;`)).toEqual([]);
    expect(findingsIn(`const page = \`<p>\n${sentence}\n</p>\`;`)).toEqual([]);
  });
});
