import { Option } from "commander";
import { describe, expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/index.ts";
import { globalOptions } from "../../src/cli/global-options.ts";
import { knownSettings } from "../../src/platform/config/known-settings.ts";

const { specs, groups } = commandTable;
const keys = knownSettings.map(({ key }) => key);

describe("the table of commands", () => {
  test("names are unique and no command is also a group", () => {
    const names = specs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names)
      expect(names.some((other) => other.startsWith(`${name} `))).toBe(false);
  });

  test("every group is described", () => {
    for (const { name } of specs) {
      const words = name.split(" ").slice(0, -1);
      if (words.length > 0) expect(groups).toHaveProperty(words.join(" "));
    }
  });

  describe.each(specs)("$name", (spec) => {
    test("it has a summary and an example that calls it", () => {
      expect(spec.summary).toMatch(/^[a-z].*[^.]$/);
      expect(spec.examples.some(({ command }) => command.includes(`tessera ${spec.name}`))).toBe(
        true,
      );
    });

    test("its options do not hide a global one and set only keys that exist", () => {
      const taken = [...globalOptions, { flags: "-h, --help" }, { flags: "-V, --version" }]
        .map(({ flags }) => new Option(flags))
        .flatMap(({ long, short }) => [long, short]);
      for (const { flags, configKey } of spec.options ?? []) {
        const { long, short } = new Option(flags);
        for (const name of [long, short]) {
          if (name !== undefined) expect(taken).not.toContain(name);
        }
        if (configKey !== undefined) expect(keys).toContain(configKey);
      }
    });

    test("its action loads", async () => {
      expect((await spec.load()).run).toBeTypeOf("function");
    });
  });
});
