import { describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/cli/command-spec.ts";
import { buildProgram } from "../../src/cli/program.ts";

const spec: CommandSpec = {
  name: "try",
  summary: "for this test",
  options: [
    { flags: "--allow <names...>", description: "may be repeated" },
    { flags: "--one <name>", description: "may not" },
    { flags: "--colour <names...>", description: "some of these", choices: ["red", "blue"] },
  ],
  examples: [],
  load: () => Promise.reject(new Error("nothing is run")),
};

function optionsOf(...words: readonly string[]): Record<string, unknown> {
  let options: Record<string, unknown> = {};
  const program = buildProgram({
    table: { specs: [spec], groups: {} },
    width: 80,
    write: () => undefined,
    select: (_, command) => {
      options = command.opts();
    },
    incomplete: () => undefined,
  });
  program.parse(["try", ...words], { from: "user" });
  return options;
}

describe("a flag that takes a list", () => {
  it("keeps every value, however often it is given", () => {
    expect(optionsOf("--allow", "a", "--allow", "b")).toEqual({ allow: ["a", "b"] });
    expect(optionsOf("--allow", "a", "b", "--allow=c")).toEqual({ allow: ["a", "b", "c"] });
    expect(optionsOf("--allow", "a")).toEqual({ allow: ["a"] });
  });

  it("checks every value against its choices", () => {
    expect(optionsOf("--colour", "red", "--colour", "blue")).toEqual({ colour: ["red", "blue"] });
    expect(() => optionsOf("--colour", "red", "--colour", "green")).toThrow(/green/);
  });
});

it("keeps the last value of a flag that takes one", () => {
  expect(optionsOf("--one", "a", "--one", "b")).toEqual({ one: "b" });
});
