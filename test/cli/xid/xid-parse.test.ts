import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { runHere } from "../in-process.ts";

const lines = [
  "[ 1843.308145] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, name=a, GPU has fallen off the bus.",
  "usb 1-1: new device",
  "NVRM: Xid (PCI:0000:3b:00): 63, text",
];

async function fileWith(content: string | Buffer): Promise<string> {
  const file = join(await tempDir(), "kernel.log");
  await writeFile(file, content);
  return file;
}

function jsonLines(stdout: string): readonly unknown[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("tessera xid parse", () => {
  it("with --json prints one line of JSON for each line of the file", async () => {
    const file = await fileWith(`${lines.join("\n")}\n`);
    const { code, stdout, stderr } = await runHere(["xid", "parse", file, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(jsonLines(stdout)).toEqual([
      {
        line: 1,
        text: lines[0],
        kind: "xid",
        xid: 79,
        pci: "0000:3b:00",
        nvsentinel: { matched: true, isFatal: true, action: "RESTART_BM" },
        gpud: { matched: true, eventType: "Fatal" },
      },
      {
        line: 2,
        text: lines[1],
        kind: null,
        nvsentinel: { matched: false },
        gpud: { matched: false },
      },
      {
        line: 3,
        text: lines[2],
        kind: "xid",
        xid: 63,
        pci: "0000:3b:00",
        nvsentinel: { matched: true, isFatal: false, action: "NONE" },
        gpud: { matched: true, eventType: "Fatal" },
      },
    ]);
  });

  it("without it shows the lines that mean something, and where the detectors disagree", async () => {
    const { code, stdout } = await runHere(["xid", "parse", await fileWith(lines.join("\n"))]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "line 1: XID 79 at 0000:3b:00; NVSentinel: fatal, RESTART_BM; gpud: Fatal",
      "line 3: XID 63 at 0000:3b:00; NVSentinel: not fatal, NONE; gpud: Fatal (only gpud calls it fatal)",
      "2 of 3 lines mean something to a detector; NVSentinel and gpud disagree on 1.",
      "",
    ]);
  });

  it("decodes NVLink 5 by the driver it is told, else by 580", async () => {
    const file = await fileWith(
      "NVRM: Xid (PCI:0000:3b:00): 145, RLW_SRC_TRACK Nonfatal XC1 i0 Link 10 (0x00000007 0x00000010)",
    );
    const actionWith = async (...flags: readonly string[]) => {
      const { stdout } = await runHere(["xid", "parse", file, "--json", ...flags]);
      return jsonLines(stdout)[0];
    };
    const reset = { nvsentinel: { action: "COMPONENT_RESET" } };
    const none = { nvsentinel: { action: "NONE" } };
    expect(await actionWith()).toMatchObject(reset);
    expect(await actionWith("--driver", "575")).toMatchObject(reset);
    expect(await actionWith("--driver", "570.148.08")).toMatchObject(none);
    expect(await actionWith("--driver", "unknown")).toMatchObject(none);
  });

  it("reads bytes that are no text, very long lines and an empty file", async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x0a]),
      Buffer.from(lines[2] ?? ""),
    ]);
    const bad = await runHere(["xid", "parse", await fileWith(bytes), "--json"]);
    expect(jsonLines(bad.stdout)).toMatchObject([{ kind: null }, { kind: "xid", xid: 63 }]);
    const long = await fileWith(`${"x".repeat(3 * 2 ** 20)}\n${lines[2]}\n`);
    const { stdout } = await runHere(["xid", "parse", long]);
    expect(stdout).toContain("1 of 2 lines mean something");
    const none = await runHere(["xid", "parse", await fileWith(""), "--json"]);
    expect(none).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("a file that is not there, or a folder, is a clear error", async () => {
    const missing = await runHere(["xid", "parse", "/nowhere/kernel.log"]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("E_FILE_READ");
    expect(missing.stderr).toContain("/nowhere/kernel.log");
    expect((await runHere(["xid", "parse", await tempDir()])).code).toBe(2);
    expect((await runHere(["xid", "parse"])).code).toBe(2);
  });
});
