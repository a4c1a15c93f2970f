import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteLines, LineTooLongError } from "../../../../src/platform/kube/watch/json-lines.ts";

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const bounds = [0, ...at, bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}

describe("lines of a byte stream", () => {
  it("are the same wherever the stream is cut, also inside a character", () => {
    const line = fc
      .string({ unit: "grapheme", minLength: 1 })
      .map((text) => JSON.stringify({ text }));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const reader = new ByteLines({ lineBytesMax: 1_000_000 });
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
        const read = split(bytes, cuts).flatMap((piece) => [...reader.push(piece)]);
        expect(read).toEqual(lines);
        expect(reader.partial).toBe(false);
      }),
    );
  });

  it("may end with CR LF, and empty ones are left out", () => {
    const reader = new ByteLines({ lineBytesMax: 100 });
    expect([...reader.push(Buffer.from("a\r\n\n\r\nb\n"))]).toEqual(["a", "b"]);
  });

  it("are not complete without their end", () => {
    const reader = new ByteLines({ lineBytesMax: 100 });
    expect([...reader.push(Buffer.from("a\nbc"))]).toEqual(["a"]);
    expect(reader.partial).toBe(true);
  });

  it("longer than the limit are refused as soon as that is known", () => {
    const reader = new ByteLines({ lineBytesMax: 4 });
    expect([...reader.push(Buffer.from("1234\n"))]).toEqual(["1234"]);
    expect([...reader.push(Buffer.from("123"))]).toEqual([]);
    expect(() => [...reader.push(Buffer.from("45"))]).toThrow(LineTooLongError);
  });
});
