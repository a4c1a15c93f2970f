import { describe, expect, it } from "vitest";
import { xidBlame } from "../../../../../src/runtime/cuda/telemetry/index.ts";
import {
  parseDmesgLine,
  parseJournalLine,
  parseKmsgLine,
  splitMessages,
} from "../../../../../src/runtime/cuda/telemetry/xid/kernel-log.ts";
import { parseXid } from "../../../../../src/runtime/cuda/telemetry/xid/parse-xid.ts";

const boot = { bootedAtMs: 1_700_000_000_000 };
const parse = (text: string) => parseXid({ text, atMs: null });

describe("an XID of the kernel's log", () => {
  it.each([
    [
      "NVRM: Xid (PCI:0000:19:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
      { pciBusId: "0000:19:00.0", xid: 79 },
    ],
    [
      "NVRM: Xid (PCI:0000:3b:00): 13, pid=1234, name=python3, Graphics Exception: ESR 0x504648=0x1000e",
      { pciBusId: "0000:3b:00.0", xid: 13 },
    ],
    [
      "NVRM: Xid (PCI:0000:9B:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked for remapping, reset gpu to activate.",
      { pciBusId: "0000:9b:00.0", xid: 63 },
    ],
    [
      "NVRM: Xid (0000:03:00): 43, Ch 00000010, engmask 00000101",
      { pciBusId: "0000:03:00.0", xid: 43 },
    ],
    ["NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7, Contained: SM (0x1).", { xid: 94 }],
    ["NVRM: Xid (PCI:0001:00:00.0): 48, DBE", { pciBusId: "0001:00:00.0", xid: 48 }],
    ["NVRM: Xid (PCI:00010000:1a:00): 74, NVLink", { pciBusId: "10000:1a:00.0", xid: 74 }],
    ["NVRM: NVRM: Xid (PCI:0000:05:00): 119, Timeout after 45s", { xid: 119 }],
    ["[6085126.134786] NVRM: Xid (PCI:0000:05:00): 31", { xid: 31, text: "" }],
    [
      "NVRM: Xid (PCI:0000:19:00): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 04 (0x0 0x1)",
      { xid: 149, text: "NETIR_LINK_EVT Fatal XC0 i0 Link 04 (0x0 0x1)" },
    ],
    [
      "NVRM: The NVIDIA GPU 0000:b3:00.0\nNVRM: (PCI ID: 10de:26b5) installed in this system has\nNVRM: fallen off the bus and is not responding to commands.",
      { pciBusId: "0000:b3:00.0", xid: 79 },
    ],
    ["NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.", { pciBusId: "0000:3b:00.0", xid: 79 }],
  ])("%s", (text, event) => {
    expect(parse(text)).toMatchObject(event);
  });

  it.each([
    "",
    "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.95.05",
    "NVRM: GPU at PCI:0000:19:00: GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
    "NVRM: Xid (PCI:0000:19:00): , pid=1",
    "NVRM: Xid (PCI:0000:19:00): 0x4f, pid=1",
    "NVRM: Xid (PCI:0000:19:00): 79a, pid=1",
    "NVRM: Xid (PCI:zzzz:19:00): 79, pid=1",
    "NVRM: Xid (): 79, pid=1",
    "nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32",
    "usb 1-1: device has fallen off the bus",
    "somebody wrote about Xid 79",
  ])("%s tells of none", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it("keeps what the driver says beside the number", () => {
    const text = "pid=1234, name=python3, Ch 00000008";
    expect(parse(`NVRM: Xid (PCI:0000:3b:00): 31, ${text}`)?.text).toBe(text);
  });
});

describe("lines of kernel logs", () => {
  it("a record of /dev/kmsg has a number, a time since boot and escaped bytes", () => {
    const line = "3,1234,5678901,-;NVRM: The NVIDIA GPU\\x0aNVRM: is gone; really";
    expect(parseKmsgLine(line, boot)).toEqual({
      atMs: boot.bootedAtMs + 5678.901,
      sequence: 1234,
      text: "NVRM: The NVIDIA GPU\nNVRM: is gone; really",
    });
  });

  it.each([" SUBSYSTEM=pci", "", "no record"])("%j is no record", (line) => {
    expect(parseKmsgLine(line, boot)).toBeUndefined();
  });

  it("a line of journalctl has a time", () => {
    const line = "1763235673.123456 node-7 kernel: NVRM: Xid (PCI:0000:19:00): 79, x";
    expect(parseJournalLine(line)).toEqual({
      atMs: 1_763_235_673_123.456,
      sequence: null,
      text: "NVRM: Xid (PCI:0000:19:00): 79, x",
    });
    expect(parseJournalLine("1763235673.1 node-7 sshd[1]: NVRM: Xid")).toBeUndefined();
    expect(parseJournalLine("-- No entries --")).toBeUndefined();
  });

  it("a line of dmesg has a time since boot", () => {
    const line = "[ 1843.308145] NVRM: gone";
    expect(parseDmesgLine(line, boot)).toEqual({
      atMs: boot.bootedAtMs + 1_843_308.145,
      sequence: null,
      text: "NVRM: gone",
    });
    expect(parseDmesgLine("NVRM: gone", boot)).toBeUndefined();
  });

  it("times since boot are unknown when the start is", () => {
    const unknown = { bootedAtMs: Number.NaN };
    expect(parseDmesgLine("[ 1.0] x", unknown)?.atMs).toBeNull();
    expect(parseKmsgLine("3,1,5,-;x", unknown)?.atMs).toBeNull();
  });

  it("messages of several lines are put together", () => {
    const output = "[ 1.0] NVRM: The NVIDIA GPU\n           NVRM: fallen off\n[ 2.0] next\n";
    expect(splitMessages(output)).toEqual([
      "[ 1.0] NVRM: The NVIDIA GPU\nNVRM: fallen off",
      "[ 2.0] next",
      "",
    ]);
  });
});

describe("who is to blame for an XID", () => {
  it.each([48, 62, 64, 74, 79, 94, 95, 119, 140])("%d: the hardware", (xid) => {
    expect(xidBlame(xid)).toBe("hardware");
  });

  it.each([13, 31, 43, 45])("%d: the program", (xid) => {
    expect(xidBlame(xid)).toBe("program");
  });

  it("63 is a note, and a number that nobody knows is not called healthy", () => {
    expect(xidBlame(63)).toBe("note");
    expect(xidBlame(999)).toBe("unknown");
  });

  it("some say in their text what they mean", () => {
    expect(xidBlame(149, "NETIR_LINK_EVT Fatal XC0")).toBe("hardware");
    expect(xidBlame(149, "NETIR_LINK_EVT Nonfatal XC0")).toBe("note");
    const changed = (to: string) => `GPU recovery action changed from 0x0 (None) to ${to}`;
    expect(xidBlame(154, changed("0x1 (GPU Reset Required)"))).toBe("hardware");
    expect(xidBlame(154, changed("0x2 (Node Reboot Required)"))).toBe("hardware");
    expect(xidBlame(154, changed("0x0 (None)"))).toBe("note");
    const mended = "GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)";
    expect(xidBlame(154, mended)).toBe("note");
  });
});
