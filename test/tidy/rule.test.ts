import { describe, expect, it } from "vitest";
import { clockRule } from "./lib/clock.ts";
import { parsesRule } from "./lib/parses.ts";
import { found, plant } from "./lib/planted.ts";
import { type Exception, formatFinding, judge } from "./lib/rule.ts";
import { ignoredBy } from "./lib/tree.ts";

const path = "src/cli/main.ts";
const tree = plant({ [path]: "Date.now();\nMath.random();\n" });

function left(exception?: Partial<Exception>): string[] {
  const given = exception && { rule: "clock", path, reason: "because", ...exception };
  return judge(clockRule, tree, given ? [given] : []).map(({ what }) => what);
}

describe("exceptions", () => {
  it("excuse what they name and nothing else", () => {
    expect(left()).toEqual(["Date.now", "Math.random"]);
    expect(left({ what: "Date.now" })).toEqual(["Math.random"]);
    expect(left({})).toEqual([]);
    expect(left({ path: "src/cli/" })).toEqual([]);
  });

  it("of another rule excuse nothing", () => {
    expect(left({ rule: "length" })).toEqual(["Date.now", "Math.random"]);
  });

  it("that nothing needs are found themselves", () => {
    expect(left({ path: "src/cli/other.ts" })).toContain("stale exception");
    expect(left({ what: "setTimeout" })).toContain("stale exception");
  });
});

describe("findings", () => {
  it("are printed with their place first", () => {
    const finding = { path, line: 3, what: "x", message: "is wrong" };
    expect(formatFinding(finding)).toBe("src/cli/main.ts:3 is wrong");
  });

  it("include files that do not parse", () => {
    expect(found(parsesRule, plant({ [path]: "const x = 1;\nconst = 2;" }))).toEqual([
      "src/cli/main.ts:2 syntax",
    ]);
    expect(found(parsesRule, plant({ [path]: "const x: number = 1;" }))).toEqual([]);
  });
});

describe("ignored names", () => {
  const isIgnored = ignoredBy("node_modules/\n# a comment\n/dist/\ndist.*/\n*.log\n");

  it.each([".git", "node_modules", "src/node_modules", "dist", "dist.building-1", "x.log"])(
    "%s is ignored",
    (name) => {
      expect(isIgnored(name)).toBe(true);
    },
  );

  it.each(["src/dist", "node_modules2", "xlog", "# a comment"])("%s is not", (name) => {
    expect(isIgnored(name)).toBe(false);
  });
});
