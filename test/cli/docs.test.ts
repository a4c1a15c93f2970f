import { describe, expect, test } from "vitest";
import { block, code, table } from "../../scripts/docs/markdown.ts";
import { pages } from "../../scripts/docs/pages.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import { knownSettings } from "../../src/platform/config/known-settings.ts";
import { errorTable } from "../../src/platform/errors/index.ts";
import { metricTable } from "../../src/platform/metrics/index.ts";

const markers =
  "before\n<!-- reference: made by `npm run docs` -->\nold\n<!-- end of reference -->\nafter\n";

function rendered(path: string, current = ""): string {
  return pages.find((page) => page.path === path)?.render(current) ?? "";
}

describe("the pages made from tables", () => {
  test.each([
    ["docs/errors.md", Object.keys(errorTable).map((name) => `| \`${name}\` |`)],
    ["docs/metrics.md", Object.keys(metricTable).map((name) => `| \`${name}\` |`)],
    ["docs/cli.md", commandTable.specs.map(({ name }) => `\n## tessera ${name}\n`)],
    ["docs/configuration.md", knownSettings.map(({ key }) => `| \`${key}\` |`)],
  ])("%s has every row", (path, rows) => {
    const text = rendered(path, markers);
    for (const row of rows) expect(text).toContain(row);
  });

  test("what people wrote around the reference stays", () => {
    const text = rendered("docs/configuration.md", markers);
    expect(text).toMatch(/^before\n/);
    expect(text).toMatch(/\nafter\n$/);
    expect(text).not.toContain("\nold\n");
    expect(rendered("docs/configuration.md", text)).toBe(text);
  });

  test("a page that has lost its markers is not overwritten", () => {
    expect(() => rendered("docs/configuration.md", "before\n")).toThrow("lost its markers");
  });
});

describe("markdown", () => {
  test("a bar or a line break does not break a table", () => {
    expect(table(["a"], [["x|y\nz"]])).toBe("| a |\n| --- |\n| x\\|y z |\n");
  });

  test("code may hold backticks", () => {
    expect(code("plain")).toBe("`plain`");
    expect(code("a `b`")).toBe("`` a `b` ``");
    expect(block("```\n")).toBe("````\n```\n````\n");
  });
});
