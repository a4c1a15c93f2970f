import { describe, expect, it } from "vitest";
import { createAgentPorts } from "../../../src/hardware/agent/index.ts";
import type { HardwareFault, UndoEntry } from "../../../src/hardware/objects/index.ts";
import { marks } from "../../../src/hardware/objects/index.ts";
import { controlPath, ensureControl, readControl } from "../../../src/hardware/shim/index.ts";
import { snapshotNode } from "../../../src/hardware/undo/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { armedFault, cudaAction, namespace, node, xidAction } from "./support/fake-hardware.ts";
import { type AgentSetup, agentSetup, startAgent } from "./support/start-agent.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const id = "0123456789ab";

function start(setup: AgentSetup, layShim = async () => {}) {
  const { client, clock } = setup.cluster;
  const ports = createAgentPorts({ client, clock, log, namespace, node });
  // Whether the library was built is another room's concern.
  const shim = { ...ports.shim, layShim };
  return startAgent(setup, { ports: { ...ports, shim }, detector: "cordon" });
}

const withUndo = (fault: HardwareFault, undo: readonly UndoEntry[]): HardwareFault =>
  fault.status === undefined ? fault : { ...fault, status: { ...fault.status, undo } };

describe("an agent alone", () => {
  it("closes a node for a line, and opens it when the lease is missed", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const nowMs = cluster.clock.nowMs();
    const leaseUntil = new Date(nowMs + 1500).toISOString();
    const before = await snapshotNode(cluster.client, node);
    const fault = armedFault("one", xidAction(id), { nowMs, leaseUntil });
    await start(setup);
    cluster.putFault(withUndo(fault, [before]));
    await waitUntil(
      "it is closed",
      () => cluster.node().metadata.annotations?.[marks.cordonedBy] === id,
    );
    await waitUntil("it is reverted", () => cluster.fault("one").status?.state === "reverted");
    await waitUntil("it is open", () => cluster.node().spec?.unschedulable !== true);
    expect(cluster.fault("one").status?.end).toMatchObject({ reason: "lease-missed" });
    expect(cluster.node().metadata.annotations?.[marks.cordonedBy]).toBeUndefined();
  });

  it("arms a real control block, and disarms it when the fault is ended", async () => {
    const setup = await agentSetup();
    const { cluster, folder } = setup;
    const nowMs = cluster.clock.nowMs();
    const scope = "team.deployment.serve";
    const path = controlPath(folder, scope);
    await start(setup);
    const fault = armedFault("one", cudaAction(scope, { afterCalls: 3 }), { nowMs });
    cluster.putFault(withUndo(fault, [{ kind: "control", node, scope }]));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(await readControl(path)).toMatchObject({ armed: true, expiresAtMs: nowMs + 60_000 });
    const at = new Date(nowMs).toISOString();
    cluster.setStatus("one", { end: { reason: "requested", at, by: "fault-api" } });
    await waitUntil("it is reverted", () => cluster.fault("one").status?.state === "reverted");
    expect(await readControl(path)).toMatchObject({ armed: false });
  });

  it("disarms at its start what no fault owns any more", async () => {
    const setup = await agentSetup();
    const path = controlPath(setup.folder, "left");
    await ensureControl(path);
    const { shim } = createAgentPorts({ ...setup.cluster, log, namespace, node });
    const nowMs = setup.cluster.clock.nowMs();
    const codes = { inFlight: 999, onInit: 100, sticky: true };
    await shim.armControl(path, { fault: { xid: 79 }, codes, expiresAtMs: nowMs + 60_000, nowMs });
    await start(setup);
    expect(await readControl(path)).toMatchObject({ armed: false });
  });
});
