import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../../src/platform/process/line-splitter.ts";

function split(chunks: readonly Uint8Array[], lineCharsMax = 1000): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter({ lineCharsMax, onLine: (line) => lines.push(line) });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

/** Cuts a text into pieces of bytes at the given places. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
  const sorted = ends.toSorted((a, b) => a - b);
  return sorted.map((end, at) => bytes.subarray(sorted[at - 1] ?? 0, end));
}

describe("LineSplitter", () => {
  it("finds the same lines however the bytes are cut", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", " "), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(100)), (lines, places) => {
        expect(split(cut(`${lines.join("\n")}\n`, places))).toEqual(lines);
      }),
    );
  });

  it("hands over a last line without a line end, but no empty one", () => {
    expect(split([Buffer.from("a\nb")])).toEqual(["a", "b"]);
    expect(split([Buffer.from("a\n")])).toEqual(["a"]);
    expect(split([])).toEqual([]);
  });

  it("drops the carriage return of a line end", () => {
    expect(split([Buffer.from("a\r"), Buffer.from("\nb\r\n")])).toEqual(["a", "b"]);
  });

  it("cuts a line that is too long and goes on with the next", () => {
    expect(
      split(
        [Buffer.from("abcdef\n"), Buffer.from("abc"), Buffer.from("def"), Buffer.from("\nabcd\n")],
        4,
      ),
    ).toEqual(["abcd…", "abcd…", "abcd"]);
  });
});
