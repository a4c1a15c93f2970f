import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { isYamlNestedTooDeeply } from "../../../src/platform/files/index.ts";

describe("a YAML text", () => {
  test.each([
    ["brackets", "["],
    ["braces", "{ a: "],
    ["dashes on one line", "- "],
    ["question marks on one line", "? "],
    ["brackets behind what is no bracket", "'[]': ["],
  ])("is nested too deeply with 200,000 %s, whatever follows", (_what, part) => {
    expect(isYamlNestedTooDeeply(part.repeat(200_000))).toBe(true);
    expect(isYamlNestedTooDeeply(`a: 1\nb:\n  ${part.repeat(200_000)}`)).toBe(true);
  });

  test("is nested too deeply by indentation alone", () => {
    const lines = Array.from({ length: 100 }, (_, depth) => `${" ".repeat(depth)}a:`);
    expect(isYamlNestedTooDeeply(lines.join("\n"))).toBe(true);
  });

  test("may have any number of brackets where they nest nothing", () => {
    const quoted = `a: "${"[".repeat(1_000)}"\nb: '${"{".repeat(1_000)}'\n# ${"[".repeat(1_000)}\n`;
    expect(isYamlNestedTooDeeply(quoted)).toBe(false);
    expect(isYamlNestedTooDeeply(`a: |\n  ${"[ { - ".repeat(1_000)}\n`)).toBe(false);
    expect(isYamlNestedTooDeeply("- [a, { b: c }]\n".repeat(10_000))).toBe(false);
  });

  test("is not nested too deeply with what people write", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 10 },
        fc.string(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.boolean(), (written, asJson) => {
        const text = asJson ? JSON.stringify(written) : stringify(written);
        expect(isYamlNestedTooDeeply(text)).toBe(false);
      }),
    );
  });

  test("that is broken is left to the parser", () => {
    for (const text of ["", "]", "a: [", "\t", "&", "*", "%YAML", "\u0000", "'"]) {
      expect(isYamlNestedTooDeeply(text)).toBe(false);
    }
  });
});
