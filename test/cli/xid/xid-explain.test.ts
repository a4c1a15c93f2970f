import { describe, expect, it } from "vitest";
import { runHere } from "../in-process.ts";

describe("tessera xid explain", () => {
  it("says what an XID means, what to do and what each detector does", async () => {
    const { code, stdout } = await runHere(["xid", "explain", "79"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "XID 79: GPU has fallen off the bus (critical)",
      "  at once     Restart the machine. (RESTART_BM)",
      "  then        Ask NVIDIA or the vendor. (CONTACT_SUPPORT)",
      "  CUDA        999 cudaErrorUnknown at work, 100 cudaErrorNoDevice at its start; the process must end",
      "  NVSentinel  fatal, RESTART_BM: the node is cordoned; with remediation on it really resets or restarts something",
      "  gpud        Fatal, advises REBOOT_SYSTEM, HARDWARE_INSPECTION",
      "  DCGM        health check: fail",
      "  they        NVSentinel and gpud agree",
      "",
    ]);
  });

  it("says where detectors disagree, and that a non-fatal XID does not cordon", async () => {
    const { stdout } = await runHere(["xid", "explain", "Xid 94"]);
    expect(stdout).toContain("not fatal: an event, no cordon");
    expect(stdout).toContain("disagree: only gpud calls it fatal");
  });

  it("says where the text of the line decides", async () => {
    expect((await runHere(["xid", "explain", "149"])).stdout).toContain(
      "by the registers in the line",
    );
    expect((await runHere(["xid", "explain", "154"])).stdout).toContain("the last brackets");
  });

  it("says that NVSentinel cordons for a number that nobody knows", async () => {
    const { code, stdout } = await runHere(["xid", "explain", "999"]);
    expect(code).toBe(0);
    expect(stdout).toContain("XID 999 is in no catalogue.");
    expect(stdout).toContain("the node is cordoned all the same");
    const json = await runHere(["xid", "explain", "999", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      known: false,
      xid: 999,
      nvsentinel: { action: "CONTACT_SUPPORT", isFatal: true },
      gpud: { matched: false },
    });
  });

  it("tells an SXid from an XID", async () => {
    const { stdout } = await runHere(["xid", "explain", "12028"]);
    expect(stdout).toContain("12028 is an SXid");
    expect(stdout).toContain("Fatal, advises REBOOT_SYSTEM");
    const json = await runHere(["xid", "explain", "12028", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ sxid: true, gpud: { eventType: "Fatal" } });
  });

  it("without a number lists the catalogue, with --json with its sources", async () => {
    const { code, stdout } = await runHere(["xid", "explain"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^XID +SEVERITY +NVSENTINEL/);
    expect(stdout).toMatch(/\n79 +critical +RESTART_BM +Fatal +fail +999 +GPU has fallen off/);
    expect(stdout).not.toMatch(/\n42 /);
    const one = await runHere(["xid", "explain", "48", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      known: true,
      xid: 48,
      cuda: { inFlight: 214 },
      disagree: null,
      sources: { gpud: { commit: "4a8de33" } },
    });
  });

  it("refuses what is no number", async () => {
    const { code, stderr } = await runHere(["xid", "explain", "seventy"]);
    expect(code).toBe(2);
    expect(stderr).toContain("`seventy` is no number of an XID");
  });
});
