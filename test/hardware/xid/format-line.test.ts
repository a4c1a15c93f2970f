import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openKernelLogWriter } from "../../../src/hardware/kernel-log/index.ts";
import {
  correlationIdIn,
  formatXidLine,
  LineParser,
  type ParsedLogLine,
  parseKernelLine,
  pciOf,
  sequenceLines,
  xidCatalogue,
  xidSequences,
} from "../../../src/hardware/xid/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const correlationId = "0123456789ab";
const injectable = xidCatalogue.filter(({ gpud }) => gpud !== null);
const refused = expect.objectContaining({ code: "E_HW_REFUSED" });

/** A line after a program wrote it into the kernel log. */
function afterWriting(line: string): ParsedLogLine | undefined {
  const parsed: ParsedLogLine[] = [];
  const parser = new LineParser({ onLine: (one) => parsed.push(one) });
  parser.push(`11,1234,5678901,-;${line}`);
  parser.end();
  return parsed[0];
}

describe("a line to be injected", () => {
  it("has the form that both detectors match", () => {
    expect(formatXidLine({ xid: 79, pci: "0000:3b:00", correlationId })).toBe(
      "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus. tessera=0123456789ab",
    );
  });

  it.each(injectable)("of XID $xid is read back by both, also from a program", (entry) => {
    const { xid, nvsentinel, gpud } = entry;
    const line = formatXidLine({ xid, pci: "00000000:3B:00.0", correlationId });
    const action = xid === 154 ? "COMPONENT_RESET" : nvsentinel.action;
    const expected = {
      kind: "xid",
      xid,
      pci: "0000:3b:00",
      nvsentinel: { matched: true, action, isFatal: action !== "NONE" },
      gpud: { matched: true, eventType: gpud?.eventType },
    };
    expect(parseKernelLine(line)).toEqual(expected);
    expect(afterWriting(line)).toMatchObject(expected);
    expect(correlationIdIn(line)).toBe(correlationId);
  });

  it("is read back whatever its text, address and id", () => {
    const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    fc.assert(
      fc.property(
        fc.constantFrom(...injectable),
        fc.stringMatching(/^[ -~]{1,200}$/).filter((text) => !/tessera=|NVRM|SXid/.test(text)),
        fc.tuple(hex(4), hex(2), hex(2)),
        hex(12),
        ({ xid }, text, address, id) => {
          const line = formatXidLine({ xid, text, pci: address.join(":"), correlationId: id });
          const parsed = afterWriting(line);
          expect(parsed).toMatchObject({
            xid,
            pci: address.join(":"),
            nvsentinel: { matched: true },
            gpud: { matched: true },
          });
          expect(correlationIdIn(line)).toBe(id);
        },
      ),
    );
  });

  it("is refused when it would be more than one record, or not its own", () => {
    const parts = { xid: 79, pci: "0000:3b:00", correlationId };
    expect(() => formatXidLine({ ...parts, text: "a\nb" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, text: "" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, text: "ü" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, text: "tessera=ffffffffffff" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, text: "x".repeat(1000) })).toThrow(refused);
    const others = [
      "NVRM: Xid (PCI:0000:3b:00): 48, x",
      "nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 24007, Fatal, Link 1 x",
      "GPU reset executed: GPU-1, success: true",
    ];
    for (const text of others) {
      expect(() => formatXidLine({ ...parts, text })).toThrow(refused);
    }
    expect(() => formatXidLine({ ...parts, pci: "gpu0" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, correlationId: "0123" })).toThrow(refused);
    expect(() => formatXidLine({ ...parts, xid: 133 })).toThrow(
      expect.objectContaining({ code: "E_XID_UNKNOWN" }),
    );
  });

  it("has no correlation id when it is another's", () => {
    expect(correlationIdIn("NVRM: Xid (PCI:0000:3b:00): 79, text")).toBeUndefined();
    expect(correlationIdIn("mytessera=0123456789ab")).toBeUndefined();
    expect(correlationIdIn("tessera=0123456789abc")).toBeUndefined();
  });
});

describe("sequences", () => {
  it.each(xidSequences)("$name: both detectors see every line", ({ name }) => {
    for (const { xid, text } of sequenceLines(name)) {
      const line = formatXidLine({
        xid,
        pci: "0000:3b:00",
        correlationId,
        ...(text === undefined ? {} : { text }),
      });
      expect(afterWriting(line)).toMatchObject({
        xid,
        nvsentinel: { matched: true },
        gpud: { matched: true },
      });
    }
  });

  it("those of NVLink 5 reach the rows of the table they are meant for", () => {
    const reactionTo = (name: string) => {
      const [{ xid, text = "" } = { xid: 0 }] = sequenceLines(name);
      const line = formatXidLine({ xid, text, pci: "0000:3b:00", correlationId });
      const { nvsentinel, gpud } = parseKernelLine(line);
      return [nvsentinel.action, gpud.eventType];
    };
    expect(reactionTo("nvlink5-link-down")).toEqual(["COMPONENT_RESET", "Fatal"]);
    expect(reactionTo("nvlink5-parity")).toEqual(["COMPONENT_RESET", "Fatal"]);
    expect(reactionTo("nvlink5-nonfatal")).toEqual(["NONE", "Warning"]);
    expect(reactionTo("79-154")).toEqual(["RESTART_BM", "Fatal"]);
  });

  it("an unknown one is refused with those there are", () => {
    expect(() => sequenceLines("1-2-3")).toThrow(/79-154, 48-63/);
  });
});

describe("an address of a GPU", () => {
  it.each([
    ["0000:3b:00", "0000:3b:00"],
    ["00000000:3B:00.0", "0000:3b:00"],
    ["PCI:0000:3b:00", "0000:3b:00"],
    ["3b:00.0", "0000:3b:00"],
    ["00000001:00:00.0", "0001:00:00"],
    ["00010000:00:00", "10000:00:00"],
  ])("%s is %s", (text, pci) => {
    expect(pciOf(text)).toBe(pci);
  });

  it.each(["", "0", "gpu0", "0000:3b", "0000:3b:00:00", "0000:3b:0g"])("%j is none", (text) => {
    expect(pciOf(text)).toBeUndefined();
  });
});

it("is as long as one write to the kernel log may be, and not a byte longer", async () => {
  const path = join(await tempDir(), "kmsg");
  const writer = await openKernelLogWriter({ path, allowDevice: false });
  const lineWith = (length: number) =>
    formatXidLine({ xid: 79, pci: "0000:3b:00", correlationId, text: "x".repeat(length) });
  const around = lineWith(1).length - 1;
  const longest = lineWith(972 - around);
  await expect(writer.write(longest)).resolves.toBeUndefined();
  await expect(writer.write(`${longest}x`)).rejects.toMatchObject({ code: "E_HW_KERNEL_LOG" });
  expect(() => lineWith(973 - around)).toThrow();
  await writer.close();
});
