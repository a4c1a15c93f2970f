import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineParser, type ParsedLogLine } from "../../../src/hardware/xid/index.ts";

const xid = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, name=a, GPU has fallen off the bus.";
const both = { nvsentinel: { matched: true }, gpud: { matched: true } };
const neither = { kind: null, nvsentinel: { matched: false }, gpud: { matched: false } };
const onlyGpud = { kind: "xid", nvsentinel: { matched: false }, gpud: { matched: true } };
const onlyNvSentinel = { kind: "xid", nvsentinel: { matched: true }, gpud: { matched: false } };

function parse(...lines: readonly string[]): readonly ParsedLogLine[] {
  const parsed: ParsedLogLine[] = [];
  const parser = new LineParser({ onLine: (one) => parsed.push(one) });
  for (const line of lines) parser.push(line);
  parser.end();
  return parsed;
}

describe("forms of kernel logs", () => {
  it.each([
    ["plain text", xid],
    ["dmesg", `[ 1843.308145] ${xid}`],
    ["dmesg -T", `[Mon Nov 16 12:00:00 2026] ${xid}`],
    ["dmesg --time-format iso", `2026-11-16T12:00:00,308145+00:00 ${xid}`],
    ["dmesg --time-format iso, doubled", `2026-11-16T12:00:00,308145+00:00 NVRM: ${xid}`],
    ["journalctl", `Nov 16 12:00:00 node-1 kernel: ${xid}`],
    ["journalctl -o short-precise", `Nov  6 12:00:00.308145 node-1 kernel: ${xid}`],
    ["journalctl -o short-iso", `2026-11-16T12:00:00+0000 node-1 kernel: ${xid}`],
    ["journalctl -o short-full", `Mon 2026-11-16 12:00:00 UTC node-1 kernel: ${xid}`],
    ["journalctl -o short-unix", `1763235673.123456 node-1 kernel: ${xid}`],
    [
      "journalctl -o json",
      JSON.stringify({ MESSAGE: xid, _TRANSPORT: "kernel", SYSLOG_IDENTIFIER: "kernel" }),
    ],
    ["journalctl -o json with bytes", JSON.stringify({ MESSAGE: [...Buffer.from(xid)] })],
    ["a record of /dev/kmsg", `3,1234,5678901,-;${xid}`],
    ["a record of /dev/kmsg with its thread", `3,1234,5678901,-,caller=T12;${xid}`],
  ])("%s: both detectors read it", (_, line) => {
    expect(parse(line)).toMatchObject([{ line: 1, text: line, kind: "xid", xid: 79, ...both }]);
  });

  it("lines are numbered, empty ones too", () => {
    expect(parse("", xid, "").map(({ line, kind }) => [line, kind])).toEqual([
      [1, null],
      [2, "xid"],
      [3, null],
    ]);
  });
});

describe("a record that a program wrote", () => {
  it("loses its first word to journald, so NVSentinel does not see a plain line; gpud does", () => {
    expect(parse(`11,1234,5678901,-;${xid}`)).toMatchObject([onlyGpud]);
    expect(parse(`12,1234,5678901,-; ${xid}`)).toMatchObject([onlyGpud]);
  });

  it.each(["kernel: ", "NVRM: ", "[6085126.134786] ", "word ", "tool[12]: "])(
    "is seen by both with %j before it",
    (before) => {
      expect(parse(`11,1234,5678901,-;${before}${xid}`)).toMatchObject([both]);
    },
  );

  it("with two XIDs NVSentinel reads the second", () => {
    const first = "NVRM: Xid (PCI:0000:3b:00): 31, text;";
    expect(parse(`11,1,1,-;${first} ${xid}`)).toMatchObject([
      { nvsentinel: { action: "RESTART_BM" }, gpud: { eventType: "Warning" } },
    ]);
    expect(parse(`3,1,1,-;${first} ${xid}`)).toMatchObject([
      { nvsentinel: { action: "NONE" }, gpud: { eventType: "Warning" } },
    ]);
  });

  it("in the output of journalctl its first word is the name of a program", () => {
    const rest = xid.replace("NVRM: ", "");
    expect(parse(`Nov 16 12:00:00 node-1 NVRM: ${rest}`)).toMatchObject([onlyGpud]);
    expect(parse(`Nov 16 12:00:00 node-1 NVRM: ${xid}`)).toMatchObject([both]);
    const entry = { _TRANSPORT: "kernel", SYSLOG_FACILITY: "1", SYSLOG_IDENTIFIER: "NVRM" };
    expect(parse(JSON.stringify({ ...entry, MESSAGE: rest }))).toMatchObject([onlyGpud]);
    expect(parse(JSON.stringify({ ...entry, MESSAGE: xid }))).toMatchObject([both]);
  });

  it("is nothing to either when it never was in the kernel log", () => {
    const entry = { _TRANSPORT: "syslog", SYSLOG_IDENTIFIER: "logger", MESSAGE: xid };
    expect(parse(JSON.stringify(entry))).toMatchObject([neither]);
    expect(parse(JSON.stringify({ MESSAGE: null }))).toMatchObject([neither]);
  });
});

describe("a message of several lines", () => {
  const [first, second, third] = [
    "NVRM: The NVIDIA GPU 0000:b3:00.0",
    "NVRM: (PCI ID: 10de:26b5) installed in this system has",
    "NVRM: fallen off the bus and is not responding to commands.",
  ] as const;
  const fallen = { kind: "fallen-off-bus", pci: "0000:b3:00.0", ...both };

  it.each(["[ 1843.308145] ", "Nov 16 12:00:00 node-1 kernel: "])(
    "is one record where the output of a tool indents it: %j",
    (header) => {
      const indent = " ".repeat(header.length);
      expect(
        parse(`${header}${first}`, `${indent}${second}`, `${indent}${third}`, xid),
      ).toMatchObject([fallen, neither, neither, { line: 4, kind: "xid" }]);
    },
  );

  it("is one record in /dev/kmsg and in the journal's JSON", () => {
    expect(parse(`4,1,1,-;${first}\\x0a${second}\\x0a${third}`)).toMatchObject([fallen]);
    const MESSAGE = [first, second, third].join("\n");
    expect(parse(JSON.stringify({ MESSAGE }))).toMatchObject([fallen]);
  });

  it("is nothing as three records", () => {
    expect(parse(first, second, third)).toMatchObject([neither, neither, neither]);
    const header = "[ 1843.308145] ";
    expect(parse(...[first, second, third].map((line) => `${header}${line}`))).toMatchObject([
      neither,
      neither,
      neither,
    ]);
  });

  it("variables after a record of /dev/kmsg are no lines of their own", () => {
    expect(parse(`3,1,1,-;${xid}`, " SUBSYSTEM=pci", ` DEVICE=${xid}`, xid)).toMatchObject([
      both,
      neither,
      neither,
      both,
    ]);
  });
});

describe("any file", () => {
  it("gives one answer a line, in order, with its text, and never throws", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "")),
      fc.constantFrom(
        `3,1,1,-;${xid}`,
        " KEY=value",
        "[ 1.0] a",
        "       b",
        "{",
        '{"MESSAGE":[]}',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const parsed = parse(...lines);
        expect(parsed.map(({ text }) => text)).toEqual(lines);
        expect(parsed.map((one) => one.line)).toEqual(lines.map((_, at) => at + 1));
      }),
    );
  });

  it("a line with a function digit is for NVSentinel alone", () => {
    expect(parse(xid.replace("3b:00", "3b:00.0"))).toMatchObject([onlyNvSentinel]);
  });
});
