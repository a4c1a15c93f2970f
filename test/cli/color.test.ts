import { describe, expect, test } from "vitest";
import { usesColor } from "../../src/cli/color.ts";

const terminal = { isTTY: true };
const pipe = {};

describe("colours", () => {
  test.each([
    ["a terminal gets them", terminal, {}, {}, true],
    ["a pipe does not", pipe, {}, {}, false],
    ["a dumb terminal does not", terminal, {}, { TERM: "dumb" }, false],
    ["NO_COLOR forbids them", terminal, {}, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR says nothing", terminal, {}, { NO_COLOR: "" }, true],
    ["FORCE_COLOR gives them to a pipe", pipe, {}, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0 forbids them", terminal, {}, { FORCE_COLOR: "0" }, false],
    ["FORCE_COLOR wins over NO_COLOR", pipe, {}, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    ["--no-color wins over all", terminal, { color: false }, { FORCE_COLOR: "1" }, false],
  ])("%s", (_, stream, globals, env, expected) => {
    expect(usesColor(stream, { globals, env })).toBe(expected);
  });
});
