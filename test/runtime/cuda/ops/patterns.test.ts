import { describe, expect, it } from "vitest";
import {
  fillPattern,
  flipBit,
  type MemoryPattern,
  verifyPattern,
} from "../../../../src/runtime/cuda/ops/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";

const patterns: readonly MemoryPattern[] = [
  { kind: "byte", byte: 0x00 },
  { kind: "byte", byte: 0xaa },
  { kind: "address" },
  { kind: "random", seed: 5 },
];

describe.skipIf(noFake !== "")(`memory patterns${noFake}`, () => {
  it.each(patterns)("are found as they were written: %j", (pattern) => {
    const device = openFake();
    using buffer = device.memory.allocate(100_000);
    const place = { buffer, offsetBytes: 160, bytes: 99_208, pattern };
    fillPattern(device, place);
    expect(verifyPattern(device, place)).toBeUndefined();
  });

  it.each(patterns)("tell how many words are wrong, and which is the first: %j", (pattern) => {
    const device = openFake();
    using buffer = device.memory.allocate(100_000);
    const place = { buffer, offsetBytes: 160, bytes: 99_208, pattern };
    fillPattern(device, place);
    flipBit(device, { buffer, bit: 8 * 99_360 + 3 });
    flipBit(device, { buffer, bit: 8 * 4104 + 1 });
    const found = verifyPattern(device, place);
    expect(found).toMatchObject({
      words: 2,
      first: { offsetBytes: 4104, address: buffer.address + 4104n },
    });
    expect((found?.first.expected ?? 0n) ^ (found?.first.found ?? 0n)).toBe(2n);
    // The other one alone, at the very end.
    flipBit(device, { buffer, bit: 8 * 4104 + 1 });
    expect(verifyPattern(device, place)).toMatchObject({
      words: 1,
      first: { offsetBytes: 99_360 },
    });
  });

  it("do not pass for each other", () => {
    const device = openFake();
    using buffer = device.memory.allocate(4096);
    fillPattern(device, { buffer, bytes: 4096, pattern: { kind: "random", seed: 1 } });
    for (const pattern of patterns) {
      expect(verifyPattern(device, { buffer, bytes: 4096, pattern })?.words).toBe(512);
    }
    expect(new Set(patterns.map((pattern) => wordsOf(pattern))).size).toBe(patterns.length);

    function wordsOf(pattern: MemoryPattern): string {
      fillPattern(device, { buffer, bytes: 4096, pattern });
      const bytes = new Uint8Array(4096);
      device.stream.download({ buffer }, bytes);
      return bytes.toString();
    }
  });

  it("are of whole words, and bits lie in the buffer", () => {
    const device = openFake();
    using buffer = device.memory.allocate(64);
    expect(() => fillPattern(device, { buffer, bytes: 12, pattern: { kind: "address" } })).toThrow(
      "whole 64-bit words",
    );
    expect(() => flipBit(device, { buffer, bit: 512 })).toThrow("lies in the buffer");
  });
});
