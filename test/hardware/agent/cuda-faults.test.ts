import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArmedScopes } from "../../../src/hardware/agent/armed-scopes.ts";
import { ControlKeeper } from "../../../src/hardware/agent/control-keeper.ts";
import { notesIn } from "../../../src/hardware/agent/fault-notes.ts";
import { xidPort } from "../../../src/hardware/agent/xid-port.ts";
import { createFaultBook } from "../../../src/hardware/faults/index.ts";
import type { HardwareFault } from "../../../src/hardware/objects/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { armedFault, cudaAction, namespace, node } from "./support/fake-hardware.ts";
import { agentSetup, startAgent } from "./support/start-agent.ts";

const scope = "team.deployment.serve";

function passthrough(name: string, nowMs: number): HardwareFault {
  const workload = { namespace: "team", kind: "deployment" as const, name: "serve" };
  return armedFault(name, { kind: "passthrough", workload, scope }, { nowMs, state: "injected" });
}

const ended = (nowMs: number) => ({
  end: { reason: "requested" as const, at: new Date(nowMs).toISOString(), by: "fault-api" },
});

describe("CUDA faults", () => {
  it("arm the control block until the lease ends, and move with it", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(shim.blocks.get(scope)).toMatchObject({
      armed: true,
      xid: 79,
      code: 999,
      expiresAtMs: nowMs + 60_000,
    });
    cluster.setStatus("one", { leaseUntil: new Date(nowMs + 90_000).toISOString() });
    await waitUntil("the block is renewed", () => {
      return shim.blocks.get(scope)?.expiresAtMs === nowMs + 90_000;
    });
    expect(shim.blocks.get(scope)?.armings).toBe(1);
  });

  it("are never armed past their own end", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    const leaseUntil = new Date(nowMs + 900_000).toISOString();
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs, leaseUntil }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(shim.blocks.get(scope)?.expiresAtMs).toBe(nowMs + 600_000);
  });

  it("disarm when somebody ends them, without waiting for a reaper", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs }));
    await waitUntil("it is armed", () => shim.blocks.get(scope)?.armed === true);
    cluster.setStatus("one", ended(nowMs));
    await waitUntil("it is disarmed", () => shim.blocks.get(scope)?.armed === false);
  });

  it("leave a block to the fault that has it, and the second fails", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    cluster.putFault(armedFault("another", cudaAction(scope, { xid: 48 }), { nowMs: nowMs - 1 }));
    await waitUntil("it has ended", () => cluster.fault("another").status?.end !== undefined);
    expect(cluster.fault("another").status?.message).toContain("one has the control block");
    expect(shim.blocks.get(scope)).toMatchObject({ xid: 79, armings: 1 });
  });

  it("are not disarmed by the end of the fault before", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    const agent = await startAgent(setup);
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs, ...ended(nowMs) }));
    cluster.putFault(armedFault("two", cudaAction(scope), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("two").status?.state === "injected");
    await agent.disarm({ kind: "control", node, scope });
    expect(shim.blocks.get(scope)?.armed).toBe(true);
    cluster.setStatus("two", ended(nowMs));
    await waitUntil("it is disarmed", () => shim.blocks.get(scope)?.armed === false);
    await agent.disarm({ kind: "control", node: "gpu-2", scope: "another" });
    expect(shim.calls).not.toContain("disarm another");
  });

  it("are disarmed for whoever takes them back before the agent has heard of their end", async () => {
    const { cluster, shim, folder } = await agentSetup();
    const { client, clock } = cluster;
    const nowMs = clock.nowMs();
    const book = createFaultBook({ client, namespace, clock, by: "agent/gpu-1" });
    const fault = armedFault("one", cudaAction(scope), { nowMs });
    cluster.putFault(fault);
    const quiet = () => {};
    let view: readonly HardwareFault[] = [fault];
    const keeper = new ControlKeeper({
      node,
      folder,
      shim: shim.port,
      xid: xidPort,
      notes: notesIn(book),
      armed: await ArmedScopes.open(join(folder, "armed.json")),
      clock,
      log: { info: quiet, warn: quiet, error: quiet },
      faults: () => view,
      shimProblem: undefined,
    });
    await keeper.reconcile();
    await keeper.disarm({ node, scope });
    expect(shim.blocks.get(scope)?.armed).toBe(true);
    cluster.setStatus("one", { state: "reverting", ...ended(nowMs) });
    await keeper.disarm({ node, scope });
    expect(shim.blocks.get(scope)?.armed).toBe(false);
    // The view is still the old one.
    await keeper.reconcile();
    expect(shim.blocks.get(scope)?.armed).toBe(false);
    const next = armedFault("two", cudaAction(scope), { nowMs });
    cluster.putFault(next);
    view = [cluster.fault("one"), next];
    await keeper.reconcile();
    expect(shim.blocks.get(scope)?.armed).toBe(true);
  });

  it("only slow calls down without a code where that is all they shall do", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    const action = cudaAction(scope, { xid: 63, latencyUs: 100 });
    cluster.putFault(armedFault("one", action, { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(shim.blocks.get(scope)).toMatchObject({ armed: true, code: 0 });
  });

  it.each([
    ["CUDA does not notice the XID", { xid: 63 }, {}, "CUDA calls do not notice it"],
    ["the block cannot be written", {}, { armFails: true }, "cannot be written"],
    ["the node has no shim", {}, { library: false }, "no library"],
  ])("fail where %s", async (_, fault, state, message) => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    Object.assign(shim.state, state);
    await startAgent(setup);
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(armedFault("one", cudaAction(scope, fault), { nowMs }));
    await waitUntil("it has ended", () => cluster.fault("one").status?.end !== undefined);
    expect(cluster.fault("one").status?.message).toContain(message);
    expect(shim.blocks.get(scope)?.armed ?? false).toBe(false);
  });
});

describe("control blocks", () => {
  it("are there for every live passthrough, disarmed, and for no others", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    expect(shim.calls).toContain("lay");
    cluster.putFault(passthrough("through", nowMs));
    await waitUntil("it is there", () => shim.blocks.has(scope));
    expect(shim.blocks.get(scope)?.armed).toBe(false);
    expect(shim.blocks.size).toBe(1);
  });

  it("are disarmed at the start when no fault in force owns them", async () => {
    const setup = await agentSetup();
    const { cluster, shim, folder } = setup;
    const path = shim.port.controlPath(folder, scope);
    await shim.port.ensureControl(path);
    Object.assign(shim.blocks.get(scope) ?? {}, { armed: true });
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(armedFault("one", cudaAction(scope), { nowMs, ...ended(nowMs) }));
    await startAgent(setup);
    expect(shim.blocks.get(scope)?.armed).toBe(false);
  });

  it("go on as they are when the agent comes back", async () => {
    const setup = await agentSetup();
    const { cluster, shim } = setup;
    const nowMs = cluster.clock.nowMs();
    const first = await startAgent(setup);
    cluster.putFault(armedFault("one", cudaAction(scope, { afterCalls: 100 }), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    await first.stop();
    cluster.setStatus("one", { leaseUntil: new Date(nowMs + 70_000).toISOString() });
    await startAgent(setup);
    await waitUntil("the block is renewed", () => {
      return shim.blocks.get(scope)?.expiresAtMs === nowMs + 70_000;
    });
    expect(shim.blocks.get(scope)).toMatchObject({ armed: true, armings: 1 });
  });
});
