import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKernelLine } from "../../../src/hardware/xid/index.ts";
import { nvlink5Lines, reactions, recordedLines } from "./fixtures.ts";

describe("what detectors make of a line, against what the real ones did", () => {
  it.each(reactions.xid)("a plain line of XID $xid", ({ xid, nvsentinel, gpud }) => {
    const parsed = parseKernelLine(
      `NVRM: Xid (PCI:0000:3b:00): ${xid}, pid=1234, name=python3, text`,
    );
    expect(parsed).toEqual({
      kind: "xid",
      xid,
      pci: "0000:3b:00",
      nvsentinel: { matched: true, ...nvsentinel },
      gpud: gpud === null ? { matched: false } : { matched: true, eventType: gpud.eventType },
    });
  });

  it.each(reactions.sxid)("a plain line of SXid $sxid", ({ sxid, gpud }) => {
    const line = (word: string) =>
      `nvidia-nvswitch0: SXid (PCI:0000:05:00.0): ${sxid}, ${word}, Link 32 text`;
    const expected = {
      kind: "sxid",
      xid: sxid,
      pci: "0000:05:00.0",
      gpud: { matched: true, eventType: gpud.eventType },
    };
    expect(parseKernelLine(line("Non-fatal"))).toEqual({
      ...expected,
      nvsentinel: { matched: true, isFatal: false, action: "NONE" },
    });
    expect(parseKernelLine(line("Fatal"))).toEqual({
      ...expected,
      nvsentinel: { matched: true, isFatal: true, action: "CONTACT_SUPPORT" },
    });
  });

  it.each(recordedLines)("$what", ({ text, driver, expected }) => {
    expect(parseKernelLine(text, driver === undefined ? {} : { driver })).toEqual(expected);
  });

  it("every row of the table of NVLink 5, in both layouts and with three drivers", () => {
    for (const { text, driver, expected } of nvlink5Lines) {
      const parsed = parseKernelLine(text, driver === undefined ? {} : { driver });
      expect({ text, driver, ...parsed }).toEqual({ text, driver, ...expected });
    }
  });
});

describe("any text at all", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        "NVRM: Xid (PCI:",
        "0000:3b:00",
        "): ",
        "79",
        "149",
        "154",
        ", pid=1, name=a",
        ", NETIR_LINK_EVT Fatal XC0 i0 Link 08 (0x00200011 0x00000000)",
        "SXid",
        ": 12028,",
        "NVRM: The NVIDIA GPU 0000:b3:00.0",
        "fallen off the bus and is not responding to commands.",
        "\n",
        "99999999999999999999",
      ),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 12 },
  );

  it("never throws, and says nothing of a number that neither detector read", () => {
    fc.assert(
      fc.property(pieces, fc.string(), (parts, driver) => {
        const parsed = parseKernelLine(parts.join(""), { driver });
        const seen = parsed.nvsentinel.matched || parsed.gpud.matched;
        expect(parsed.kind !== null).toBe(seen);
        expect(parsed.xid !== undefined).toBe(seen);
        expect(parsed.nvsentinel.isFatal !== undefined).toBe(parsed.nvsentinel.matched);
        if (parsed.nvsentinel.matched) {
          expect(parsed.nvsentinel.isFatal).toBe(parsed.nvsentinel.action !== "NONE");
        }
        expect(parsed.gpud.eventType !== undefined).toBe(parsed.gpud.matched);
      }),
      { numRuns: 2000 },
    );
  });

  it("text before a line does not change what is read", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...recordedLines.filter(({ expected }) => expected.kind === "xid")),
        fc.stringMatching(/^[ -/;-@a-z]{0,20}$/),
        ({ text, expected }, before) => {
          expect(parseKernelLine(`${before} ${text}`)).toEqual(expected);
        },
      ),
    );
  });

  it("a line made to be slow is read all the same", () => {
    const hostile = ["SXid ", "NVRM: Xid (PCI:0) ", "NVRM: Xid (PCI:", ": 1"];
    for (const piece of hostile) {
      const text = piece.repeat(64 * 1024);
      expect(parseKernelLine(text.slice(0, 64 * 1024)).nvsentinel.matched).toBe(false);
    }
  });
});
