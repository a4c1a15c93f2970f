import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { exceptions } from "./exceptions.ts";
import { formatFinding, judge } from "./lib/rule.ts";
import { readTree, type Tree } from "./lib/tree.ts";
import { rules } from "./rules.ts";

const tree = readTree(resolve(import.meta.dirname, "../.."));

describe("this repository", () => {
  for (const rule of rules) {
    it(rule.promise, () => {
      expect(judge(rule, tree, exceptions).map(formatFinding)).toEqual([]);
    });
  }

  it("gives every exception to a rule that exists, with a reason", () => {
    const names = rules.map((rule) => rule.name);
    for (const exception of exceptions) {
      expect(names).toContain(exception.rule);
      expect(exception.reason.length).toBeGreaterThan(10);
    }
  });
});

describe("a violation planted in this repository is found", () => {
  const before = findingsIn(tree);

  function findingsIn(files: Tree): string[] {
    return rules.flatMap((rule) => judge(rule, files, exceptions)).map(formatFinding);
  }

  function planted(path: string, change: (text: string) => string): string[] {
    const others = tree.filter((file) => file.path !== path);
    const text = change(tree.find((file) => file.path === path)?.text ?? "");
    const after = findingsIn([...others, { path, text }]);
    return after.filter((finding) => !before.includes(finding));
  }

  it("an import that points up", () => {
    const path = "src/platform/units/planted.ts";
    const text = 'export { main } from "../../cli/main.ts";\n';
    expect(planted(path, () => text)).toEqual([
      `${path}:1 imports src/cli/main.ts, which src/platform/units may not (test/tidy/lib/layers.ts)`,
    ]);
  });

  it("an error code that the documentation does not know", () => {
    const path = "src/platform/errors/rows/faults.ts";
    const row =
      "faultsRows = {\n  E_PLANTED: { message: '', hint: '', exitCode: 2, httpStatus: 400 },";
    expect(planted(path, (text) => text.replace("faultsRows = {", row))).toEqual([
      "docs/errors.md does not document the error code E_PLANTED: run npm run docs",
    ]);
  });

  it("the machine's time in a pure place", () => {
    const path = "src/chaos/sim/planted.ts";
    expect(planted(path, () => "export const startedMs = Date.now();\n")).toContain(
      `${path}:1 uses Date.now: take a Clock instead`,
    );
  });
});
