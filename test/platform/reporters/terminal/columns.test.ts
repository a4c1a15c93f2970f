import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  columnsOf,
  oneLine,
  pad,
  truncate,
  wrap,
} from "../../../../src/platform/reporters/terminal/columns.ts";
import { nastyText } from "../../plots/arbitraries.ts";

const runs = { numRuns: 80, seed: 20261115 };

describe("columnsOf", () => {
  it.each([
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["日本", 4],
    ["🙂", 2],
    ["", 0],
  ])("takes %j for %d columns", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe("oneLine", () => {
  it("takes the teeth out of escape sequences and line breaks", () => {
    expect(oneLine("\u001b[31mred\u001b[0m\r\nnext\u0007")).toBe("red next␇");
    expect(oneLine("\u001b]0;title\u0007text")).toBe("text");
  });

  it("never leaves a control character", () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what we look for
        expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      runs,
    );
  });
});

describe("fitting text into columns", () => {
  const anyWidth = fc.integer({ min: 1, max: 60 });

  it("truncates to the width and marks the cut", () => {
    expect(truncate("abcdef", 4)).toBe("abc…");
    expect(truncate("abcd", 4)).toBe("abcd");
    expect(truncate("日本語", 5)).toBe("日本…");
    fc.assert(
      fc.property(nastyText.map(oneLine), anyWidth, (text, width) => {
        expect(columnsOf(truncate(text, width))).toBeLessThanOrEqual(width);
      }),
      runs,
    );
  });

  it("pads to exactly the width", () => {
    fc.assert(
      fc.property(nastyText.map(oneLine), fc.integer({ min: 3, max: 60 }), (text, width) => {
        const columns = columnsOf(pad(text, width));
        // A cut in front of a wide character may leave one column free, which is filled again.
        expect(columns).toBe(width);
      }),
      runs,
    );
  });

  it("wraps without losing a word", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(wrap("", 10)).toEqual([""]);
    fc.assert(
      fc.property(nastyText.map(oneLine), fc.integer({ min: 2, max: 60 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
      runs,
    );
  });
});
