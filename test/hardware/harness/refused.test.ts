import { describe, expect, it } from "vitest";
import { HwFaultManager } from "../../../src/hardware/harness/index.ts";
import { startTestApi } from "../api/support.ts";

const action = { kind: "xid" as const, node: "gpu-1", lines: [{ xid: 79 }] };

/** Somebody who may test in one namespace, and read in no other. */
async function setUp() {
  const api = await startTestApi({ allowNamespaces: [] });
  const faults = api.as("alice");
  const manager = new HwFaultManager({
    faults,
    clock: api.clock,
    run: "run-1",
    namespace: "prod",
  });
  return { api, manager };
}

describe("a test whose only fault was refused", () => {
  it("has nothing to take back, and is not told that it may not look", async () => {
    const { api, manager } = await setUp();
    api.findings.push({ rule: "opt-in", verdict: "refuse", reason: "the node has no label" });
    await expect(manager.inject(action)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    expect(await manager.list()).toEqual([]);
    expect(await manager.revertAll()).toEqual([]);
  });

  it("is told so where it really may not look", async () => {
    const { api, manager } = await setUp();
    api.findings.push({ rule: "opt-in", verdict: "refuse", reason: "the node has no label" });
    await expect(manager.inject(action)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    api.rights.delete("user:alice read prod");
    await expect(manager.list()).rejects.toMatchObject({ code: "E_HW_FORBIDDEN" });
  });
});
