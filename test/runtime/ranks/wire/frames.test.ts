import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeFrame, FrameReader, WireError } from "../../../../src/runtime/ranks/wire/frames.ts";

function readAll(reader: FrameReader): unknown[] {
  const messages: unknown[] = [];
  for (let next = reader.next(); next !== undefined; next = reader.next())
    messages.push(next.message);
  return messages;
}

describe("frames", () => {
  test("messages come out as they went in, however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
        (messages, cuts) => {
          const stream = Buffer.concat(messages.map(encodeFrame));
          const reader = new FrameReader(1_000_000);
          const seen: unknown[] = [];
          let at = 0;
          for (let turn = 0; at < stream.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            reader.push(stream.subarray(at, at + size));
            seen.push(...readAll(reader));
            at += size;
          }
          expect(seen).toEqual(JSON.parse(JSON.stringify(messages)));
          expect(reader.takeRest()).toHaveLength(0);
        },
      ),
    );
  });

  test("a message over the limit is refused by its length alone", () => {
    const reader = new FrameReader(10);
    reader.push(encodeFrame("x".repeat(20)).subarray(0, 4));
    expect(() => reader.next()).toThrow(WireError);
  });

  test("a message that is not JSON is refused, and bytes after a message stay", () => {
    const reader = new FrameReader(100);
    reader.push(Buffer.from([0, 0, 0, 2, 0x7b, 0x7b]));
    expect(() => reader.next()).toThrow("not JSON");
    const other = new FrameReader(100);
    other.push(Buffer.concat([encodeFrame(1), Buffer.from("raw")]));
    expect(other.next()).toEqual({ message: 1 });
    expect(other.takeRest().toString()).toBe("raw");
  });
});
