import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatKmsgRecord,
  parseKmsgRecord,
  userPriority,
} from "../../../src/hardware/kernel-log/kmsg-record.ts";

describe("records of the kernel log", () => {
  it("come back as they were written, whatever the text", () => {
    const record = fc.record({
      sequence: fc.nat(),
      priority: fc.nat({ max: 191 }),
      timestampUs: fc.nat(),
      text: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(record, (one) => {
        const line = formatKmsgRecord(one);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseKmsgRecord(line.slice(0, -1))).toEqual(one);
      }),
    );
  });

  it("are read as the kernel writes them, with flags and a semicolon in the text", () => {
    expect(parseKmsgRecord("3,812,5140900,-,caller=T12;NVRM: a; b\\x0ac")).toEqual({
      priority: 3,
      sequence: 812,
      timestampUs: 5_140_900,
      text: "NVRM: a; b\nc",
    });
  });

  it("are not made of variables, of other text or of nothing", () => {
    for (const line of [" SUBSYSTEM=pci", "NVRM: Xid", "", "3,x,1,-;text", "3,1;text"]) {
      expect(parseKmsgRecord(line), line).toBeUndefined();
    }
  });

  it("are never kept as the kernel's own when a program writes them", () => {
    expect(userPriority(3)).toBe(11);
    expect(userPriority(0)).toBe(8);
  });
});
