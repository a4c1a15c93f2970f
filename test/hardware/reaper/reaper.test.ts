import { describe, expect, it } from "vitest";
import type { ControlUndo, FaultAction } from "../../../src/hardware/objects/index.ts";
import { collections } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { sampleSpec } from "../faults/sample.ts";
import { editConcurrently, inject, startWorld, stateOf, type World } from "./world.ts";

const control: ControlUndo = { kind: "control", node: "n1", scope: "s" };
const cudaAction: FaultAction = { kind: "cuda", node: "n1", scope: "s", fault: { xid: 79 } };

async function injectCuda(world: World, name: string): Promise<void> {
  const book = world.book("fault-api");
  await book.create(name, sampleSpec(world.clock.nowMs(), { action: cudaAction }));
  await book.arm(name, [control]);
  await book.injected(name);
}

describe("one look of a reaper", () => {
  it("takes nothing back while the lease runs", async () => {
    const world = await startWorld();
    await inject(world, "f1");
    const broken = stateOf(world.kube);
    expect(await world.reaper("fault-api").sweep()).toEqual({
      reverted: [],
      failed: [],
      others: [],
    });
    expect(stateOf(world.kube)).toEqual(broken);
  });

  it("takes a fault back whose lease was missed, in reverse, beside others' changes", async () => {
    const world = await startWorld();
    const { kube, clock } = world;
    const untouched = await startWorld();
    editConcurrently(untouched.kube);
    await inject(world, "f1");
    editConcurrently(kube);
    clock.aheadMs += 10_000;
    kube.requests.length = 0;
    expect((await world.reaper("agent/n1").sweep()).reverted).toEqual(["f1"]);
    expect(stateOf(kube)).toEqual(stateOf(untouched.kube));
    const { status } = await world.book("x").get("f1");
    expect(status).toMatchObject({
      state: "reverted",
      end: { reason: "lease-missed", by: "agent/n1" },
    });
    const undone = kube.requests
      .filter(({ method }) => method === "DELETE" || method === "PATCH")
      .map(({ collection }) => collection);
    expect([...new Set(undone)]).toEqual([
      collections.networkPolicies,
      collections.deployments,
      collections.nodes,
    ]);
  });

  it("leaves a fault alone that was renewed at the last moment", async () => {
    const world = await startWorld();
    const { kube, clock } = world;
    await inject(world, "f1");
    clock.aheadMs += 10_000;
    const broken = stateOf(kube);
    kube.interfere = ({ method }) => {
      if (method !== "PUT") return undefined;
      kube.interfere = () => undefined;
      kube.edit(collections.hardwareFaults, "tessera-hardware/f1", (object) => {
        const leaseUntil = new Date(clock.nowMs() + 10_000).toISOString();
        object["status"] = { ...(object["status"] as object), leaseUntil };
      });
      return undefined;
    };
    expect(await world.reaper("agent/n1").sweep()).toMatchObject({ reverted: [], others: ["f1"] });
    expect(stateOf(kube)).toEqual(broken);
    expect((await world.book("x").get("f1")).status).toMatchObject({ state: "injected" });
  });

  it("leaves a node closed that was closed before", async () => {
    const world = await startWorld();
    world.kube.edit(collections.nodes, "n1", (node) => {
      node["spec"] = { unschedulable: true };
    });
    const before = stateOf(world.kube);
    await inject(world, "f1");
    world.clock.aheadMs += 10_000;
    await world.reaper("fault-api").sweep();
    expect(stateOf(world.kube)).toEqual(before);
  });

  it("looks after its own faults alone", async () => {
    const world = await startWorld();
    await inject(world, "f1");
    world.clock.aheadMs += 10_000;
    const { reverted } = await world.reaper("agent/n2", { owns: () => false }).sweep();
    expect(reverted).toEqual([]);
  });

  it("takes a fault back that expired or was deleted, and lets a deleted one go", async () => {
    const world = await startWorld();
    const { kube } = world;
    await inject(world, "f1");
    const key = "tessera-hardware/f1";
    kube.edit(collections.hardwareFaults, key, ({ metadata }) => {
      metadata.deletionTimestamp = "2026-11-16T10:00:00Z";
    });
    await world.reaper("agent/n1").sweep();
    expect(kube.get(collections.hardwareFaults, key)?.["status"]).toMatchObject({
      state: "reverted",
      end: { reason: "deleted" },
    });
    await world.reaper("fault-api", { collects: true }).sweep();
    expect(kube.get(collections.hardwareFaults, key)).toBeUndefined();
  });

  it("forgets faults a day after they are over, not before, and never one in force", async () => {
    const world = await startWorld();
    const { kube, clock } = world;
    const reaper = world.reaper("fault-api", { collects: true });
    await inject(world, "f1");
    await reaper.revert("f1", "requested");
    clock.aheadMs += 23 * 3_600_000;
    await reaper.sweep();
    expect(kube.store.collection(collections.hardwareFaults).size).toBe(1);
    clock.aheadMs += 2 * 3_600_000;
    await inject(world, "f2");
    await reaper.sweep();
    expect([...kube.store.collection(collections.hardwareFaults).keys()]).toEqual([
      "tessera-hardware/f2",
    ]);
  });

  it("takes up a fault whose status could never be written", async () => {
    const world = await startWorld();
    const { kube, clock } = world;
    kube.interfere = ({ method }) => (method === "PUT" ? { status: 403 } : undefined);
    const created = world.book("fault-api").create("f1", sampleSpec(clock.nowMs()));
    await expect(created).rejects.toMatchObject({ code: "E_KUBE_FORBIDDEN" });
    kube.interfere = () => undefined;
    expect((await world.reaper("agent/n1").sweep()).reverted).toEqual([]);
    clock.aheadMs += 11_000;
    expect((await world.reaper("agent/n1").sweep()).reverted).toEqual(["f1"]);
  });

  it("says that a fault could not be taken back, and tries again after a growing pause", async () => {
    const world = await startWorld();
    const { kube, clock } = world;
    const reaper = world.reaper("fault-api");
    await inject(world, "f1");
    clock.aheadMs += 10_000;
    kube.interfere = ({ collection, method }) =>
      collection === collections.nodes && method === "PATCH" ? { status: 403 } : undefined;
    const first = await reaper.sweep();
    expect(first.failed).toEqual([{ name: "f1", message: expect.stringContaining("nodes/n1") }]);
    expect((await world.book("x").get("f1")).status?.state).toBe("revert-failed");
    expect(kube.get(collections.networkPolicies, "serving/cut")).toBeUndefined();
    expect((await reaper.sweep()).failed).toEqual([]);
    clock.aheadMs += 1_000;
    expect((await reaper.sweep()).failed).toHaveLength(1);
    kube.interfere = () => undefined;
    clock.aheadMs += 1_000;
    expect((await reaper.sweep()).reverted).toEqual([]);
    clock.aheadMs += 1_000;
    expect((await reaper.sweep()).reverted).toEqual(["f1"]);
  });
});

describe("control blocks", () => {
  it("are disarmed by the agent of their node at once", async () => {
    const world = await startWorld();
    await injectCuda(world, "c1");
    await world.book("fault-api").end("c1", "requested");
    expect((await world.reaper("fault-api").sweep()).reverted).toEqual([]);
    const disarmed: ControlUndo[] = [];
    const disarm = async (undo: ControlUndo) => void disarmed.push(undo);
    const elsewhere = world.reaper("agent/n2", { disarm, node: "n2" });
    expect((await elsewhere.sweep()).reverted).toEqual([]);
    const agent = world.reaper("agent/n1", { disarm, node: "n1" });
    expect((await agent.sweep()).reverted).toEqual(["c1"]);
    expect(disarmed).toEqual([expect.objectContaining(control)]);
  });

  it("count as ended once their lease is over, when their agent is dead", async () => {
    const world = await startWorld();
    await injectCuda(world, "c1");
    world.clock.aheadMs += 10_500;
    expect((await world.reaper("fault-api").sweep()).reverted).toEqual([]);
    world.clock.aheadMs += 1_000;
    expect((await world.reaper("fault-api").sweep()).reverted).toEqual(["c1"]);
    expect((await world.book("x").get("c1")).status?.message).toContain("ended by itself");
  });
});

describe("two faults on one node", () => {
  it("leave the node to the one that goes on, which puts it back as it was", async () => {
    const world = await startWorld();
    const before = stateOf(world.kube);
    const reaper = world.reaper("fault-api");
    await inject(world, "f1");
    await inject(world, "f2");
    const first = await reaper.revert("f1", "requested");
    expect(first.status?.message).toContain("left to the fault f2");
    expect(world.kube.get(collections.nodes, "n1")?.["spec"]).toMatchObject({
      unschedulable: true,
    });
    await reaper.revert("f2", "requested");
    expect(stateOf(world.kube)).toEqual(before);
  });

  it("do not wait for each other when both end", async () => {
    const world = await startWorld();
    const before = stateOf(world.kube);
    await inject(world, "f1");
    await inject(world, "f2");
    world.clock.aheadMs += 10_000;
    const { reverted, failed } = await world.reaper("fault-api").sweep();
    expect(failed).toEqual([]);
    expect(reverted.toSorted()).toEqual(["f1", "f2"]);
    expect(stateOf(world.kube)).toEqual(before);
  });
});

describe("a reaper that runs", () => {
  it("takes back what ends, and stops when told", async () => {
    const world = await startWorld();
    const before = stateOf(world.kube);
    const stop = new AbortController();
    const running = world.reaper("fault-api").run(stop.signal);
    await inject(world, "f1");
    world.clock.aheadMs += 10_000;
    const book = world.book("x");
    const isOver = async () => (await book.get("f1")).status?.state === "reverted";
    await waitUntil("the fault is taken back", isOver);
    expect(stateOf(world.kube)).toEqual(before);
    stop.abort();
    await running;
  });

  it("outlives a server that does not answer, and goes on with what it began", async () => {
    const world = await startWorld();
    const { kube } = world;
    const stop = new AbortController();
    const warnings: unknown[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (one: unknown) => void warnings.push(one),
    };
    await inject(world, "f1");
    world.clock.aheadMs += 10_000;
    kube.interfere = ({ authorization }) =>
      authorization === "Bearer fault-api" ? { status: 500 } : undefined;
    const running = world.reaper("fault-api", { log: log as never }).run(stop.signal);
    await waitUntil("it is in trouble", () => warnings.length > 0);
    kube.interfere = () => undefined;
    const book = world.book("x");
    const isOver = async () => (await book.get("f1")).status?.state === "reverted";
    await waitUntil("the fault is taken back", isOver);
    stop.abort();
    await running;
  });

  it("waits for the end that somebody asked for, or says how far it came", async () => {
    const world = await startWorld();
    await injectCuda(world, "c1");
    const impatient = world.reaper("fault-api", { revertTimeoutMs: 50 });
    await expect(impatient.revert("c1", "requested")).rejects.toMatchObject({
      code: "E_HW_TIMEOUT",
    });
    await expect(impatient.revert("no such", "requested")).rejects.toMatchObject({
      code: "E_HW_FAULT_UNKNOWN",
    });
    const agent = world.reaper("agent/n1", { disarm: async () => undefined });
    const stop = new AbortController();
    const running = agent.run(stop.signal);
    const over = await world.reaper("fault-api").revert("c1", "expired");
    expect(over.status).toMatchObject({ state: "reverted", end: { reason: "requested" } });
    stop.abort();
    await running;
  });
});
