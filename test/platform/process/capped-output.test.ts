import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CappedOutput } from "../../../src/platform/process/capped-output.ts";

function capture(chunks: readonly Uint8Array[], sizeBytesMax: number): CappedOutput {
  const output = new CappedOutput(sizeBytesMax);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return output;
}

const note = /\n\[(\d+) bytes left out\]\n/;

describe("CappedOutput", () => {
  it("keeps everything up to the limit, however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 10 })), (chunks) => {
        const whole = Buffer.concat(chunks);
        const output = capture(chunks, whole.length);
        expect(output.truncated).toBe(false);
        expect(output.text()).toBe(whole.toString("utf8"));
      }),
    );
  });

  it("keeps the beginning and the end of more, and counts what is left out", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: fc.constantFrom("a", "b", "c") }), {
          minLength: 1,
        }),
        fc.nat(30),
        (parts, sizeBytesMax) => {
          const whole = parts.join("");
          fc.pre(whole.length > sizeBytesMax);
          const output = capture(
            parts.map((part) => Buffer.from(part)),
            sizeBytesMax,
          );
          const [head = "", dropped, tail = ""] = output.text().split(note);
          expect(output.truncated).toBe(true);
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(head.length + tail.length).toBe(sizeBytesMax);
          expect(Number(dropped)).toBe(whole.length - sizeBytesMax);
        },
      ),
    );
  });

  it("does not cut through a character", () => {
    for (let sizeBytesMax = 0; sizeBytesMax < 40; sizeBytesMax++) {
      const text = capture([Buffer.from("aé€😀".repeat(10))], sizeBytesMax).text();
      expect(text).not.toContain("\uFFFD");
    }
  });

  it("may be asked for its text before the end", () => {
    const output = new CappedOutput(4);
    output.push(Buffer.from("abcdef"));
    expect(output.text()).toBe("ab\n[2 bytes left out]\nef");
    output.push(Buffer.from("gh"));
    expect(output.text()).toBe("ab\n[4 bytes left out]\ngh");
  });
});
