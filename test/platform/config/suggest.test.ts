import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closest, didYouMean } from "../../../src/platform/config/index.ts";

const names = ["doctor", "up", "config", "validate", "classify"];

describe("closest", () => {
  test.each([
    ["docotr", "doctor"],
    ["valdate", "validate"],
    ["Config", "config"],
    ["con-fig", "config"],
    ["pu", "up"],
  ])("%s is taken for %s", (typed, meant) => {
    expect(closest(typed, names)).toBe(meant);
  });

  test.each(["", "zebra", "x", "configuration-of-everything"])(
    "%j is taken for nothing",
    (typed) => {
      expect(closest(typed, names)).toBeUndefined();
    },
  );

  test("a name with one letter changed is found again", () => {
    fc.assert(
      fc.property(fc.constantFrom("validate", "classify", "doctor"), fc.nat(), (name, at) => {
        const place = at % name.length;
        const typed = `${name.slice(0, place)}#${name.slice(place + 1)}`;
        expect(closest(typed, names)).toBe(name);
      }),
    );
  });

  test("a very long text is compared in bounded time", () => {
    expect(closest("x".repeat(1_000_000), names)).toBeUndefined();
  });
});

test("didYouMean is empty when nothing is near", () => {
  expect(didYouMean("docotr", names)).toBe(" (did you mean `doctor`?)");
  expect(didYouMean("zebra", names)).toBe("");
});
