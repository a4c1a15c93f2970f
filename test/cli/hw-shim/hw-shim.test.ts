import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readControl } from "../../../src/hardware/shim/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { type Outcome, runHere } from "../in-process.ts";

async function freshControl(): Promise<string> {
  return join(await tempDir(), "control");
}

function shim(verb: string, control: string, ...flags: readonly string[]): Promise<Outcome> {
  return runHere(["hw", "shim", verb, "--control", control, ...flags]);
}

describe("tessera hw shim", () => {
  it("arms a block with the codes of the XID and everything that was asked for", async () => {
    const control = await freshControl();
    const flags = ["--gpus", "0,3", "--after-calls", "10", "--after", "5s", "--probability", "0.5"];
    const { code, stdout } = await shim("arm", control, "--xid", "79", ...flags, "--seed", "7");
    expect([code, stdout]).toEqual([
      0,
      `${control}: XID 79 for another 1m; calls on GPU 0, 3 answer 999, for good, new processes get 100 at their start.\n`,
    ]);
    expect(await readControl(control)).toMatchObject({
      armed: true,
      fault: { xid: 79, gpus: [0, 3], afterCalls: 10, afterMs: 5000, probability: 0.5, seed: 7 },
      codes: { inFlight: 999, onInit: 100, sticky: true },
    });
  });

  it("slows calls instead, without an error", async () => {
    const control = await freshControl();
    const { stdout } = await shim(
      "arm",
      control,
      "--xid",
      "63",
      "--latency",
      "50us",
      "--for",
      "2m",
    );
    expect(stdout).toContain("for another 2m; calls on every GPU take 50 µs longer");
    expect(await readControl(control)).toMatchObject({ codes: { inFlight: 0, onInit: 0 } });
  });

  it("says how it stands: none, armed, renewed, disarmed; for programs too", async () => {
    const control = await freshControl();
    expect((await shim("status", control)).stdout).toContain("there is no control block");
    await shim("arm", control, "--xid", "94", "--for", "10s");
    const armed = JSON.parse((await shim("status", control, "--json")).stdout);
    expect(armed).toMatchObject({ exists: true, inForce: true, armed: true, fault: { xid: 94 } });
    expect((await shim("renew", control, "--for", "1h")).stdout).toContain("for another 1h");
    expect((await shim("disarm", control)).stdout).toContain("not armed; CUDA calls go through");
    const disarmed = JSON.parse((await shim("status", control, "--json")).stdout);
    expect(disarmed).toMatchObject({ inForce: false, armed: false });
  });

  it("ends with 3 when there is nothing to renew", async () => {
    const control = await freshControl();
    const { code, stderr } = await shim("renew", control);
    expect(code).toBe(3);
    expect(stderr).toContain("E_HW_CONTROL");
    expect(stderr).toContain("there is none");
  });

  it.each([
    [["--xid", "79", "--gpus", "a"], "list of numbers"],
    [["--xid", "79", "--gpus", "64"], "list of numbers"],
    [["--xid", "79", "--after", "5"], "is not a duration"],
    [["--xid", "79", "--probability", "2"], "from 0 to 1"],
    [["--xid", "79", "--for", "0"], "above 0"],
    [["--xid", "79", "--for", "3d"], "at most a day"],
    [["--xid", "x"], "whole number"],
    [[], "`--xid` is missing"],
  ])("refuses %j and makes no block", async (flags, problem) => {
    const control = await freshControl();
    const { code, stderr } = await shim("arm", control, ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    await expect(stat(control)).rejects.toThrow("ENOENT");
  });

  it("refuses an XID that CUDA does not notice, and asks which block is meant", async () => {
    const control = await freshControl();
    expect((await shim("arm", control, "--xid", "63")).stderr).toContain("E_XID_UNKNOWN");
    expect((await runHere(["hw", "shim", "status"])).stderr).toContain("`--control` is missing");
  });
});
