import { Option } from "commander";
import { describe, expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/index.ts";
import { globalOptions } from "../../src/cli/global-options.ts";
import { knownSettings } from "../../src/platform/config/known-settings.ts";

const { specs, groups } = commandTable;
const keys = knownSettings.map(({ key }) => key);

describe("the table of commands", () => {
  const names = specs.map(({ name }) => name);

  test("names are unique", () => {
    expect(new Set(names).size).toBe(names.length);
  });

  test("a command that is also a group takes no argument with the name of a command of it", () => {
    for (const { name, arguments: taken = [] } of specs) {
      const children = names.filter((other) => other.startsWith(`${name} `));
      const words = children.map((child) => child.slice(name.length + 1));
      const suggested = taken.flatMap(({ suggestions }) => [...(suggestions?.() ?? [])]);
      for (const word of words) expect(suggested).not.toContain(word);
    }
  });

  test("every group is described, as a group or as a command", () => {
    for (const name of names) {
      const words = name.split(" ").slice(0, -1);
      const group = words.join(" ");
      if (words.length > 0 && !names.includes(group)) expect(groups).toHaveProperty(group);
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
