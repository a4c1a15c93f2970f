import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { marks, ownCondition } from "../../../src/hardware/objects/index.ts";
import { formatXidLine } from "../../../src/hardware/xid/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import {
  conditionOn,
  end,
  isCordoned,
  markOn,
  sightingsOf,
  write,
} from "./support/detector-view.ts";
import { armedFault, xidAction } from "./support/fake-hardware.ts";
import { agentSetup, startAgent } from "./support/start-agent.ts";

const id = "0123456789ab";
const real = (xid: number, pci = "0000:3b:00") =>
  `NVRM: Xid (PCI:${pci}): ${xid}, pid=1, name=x, gone`;

describe("the own detector", () => {
  it("shows a fatal XID as a condition, and leaves the others alone", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await startAgent(setup, { detector: "condition" });
    await write(kernelLog, real(79));
    await waitUntil("the condition is set", () => conditionOn(cluster)?.status === "True");
    expect(conditionOn(cluster)).toMatchObject({
      reason: "Xid79",
      message: "XID 79 on GPU 0000:3b:00",
    });
    expect(cluster.node().status?.conditions).toContainEqual({ type: "Ready", status: "True" });
    expect(isCordoned(cluster)).toBe(false);
  });

  it("does nothing about an XID that is not fatal", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id, { lines: [{ xid: 43 }] }), { nowMs }));
    await waitUntil("the line was seen", () => sightingsOf(cluster, "one").length > 0);
    await write(kernelLog, real(94), real(31));
    cluster.putFault(
      armedFault("two", xidAction("a".repeat(12), { lines: [{ xid: 13 }] }), { nowMs }),
    );
    await waitUntil("the last was seen", () => sightingsOf(cluster, "two").length > 0);
    expect(sightingsOf(cluster, "one")).toEqual(["tessera line"]);
    expect(conditionOn(cluster)).toBeUndefined();
    expect(isCordoned(cluster)).toBe(false);
  });

  it("closes the node for a fault, says so in it, and opens it when it ends", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 3);
    expect(sightingsOf(cluster, "one")).toEqual([
      "tessera line",
      "tessera condition",
      "tessera cordon",
    ]);
    expect(isCordoned(cluster)).toBe(true);
    expect(markOn(cluster)).toBe(id);
    await waitUntil("it is observed", () => cluster.fault("one").status?.state === "observed");
    cluster.setStatus("one", { end });
    await waitUntil("it is cleared", () => conditionOn(cluster)?.status === "False");
    expect(conditionOn(cluster)).toMatchObject({ reason: "Cleared" });
    expect(isCordoned(cluster)).toBe(false);
    expect(markOn(cluster)).toBeUndefined();
  });

  it("puts no mark on a node that was closed before, and leaves it closed", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    cluster.putNode({ spec: { unschedulable: true } });
    await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 2);
    expect(markOn(cluster)).toBeUndefined();
    cluster.setStatus("one", { end });
    await waitUntil("it is cleared", () => conditionOn(cluster)?.status === "False");
    expect(isCordoned(cluster)).toBe(true);
  });

  it("stays closed for what is real when a fault ends", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it is closed", () => markOn(cluster) === id);
    await write(kernelLog, real(48));
    await waitUntil("the real one is shown", () => conditionOn(cluster)?.reason === "Xid48");
    cluster.setStatus("one", { end });
    await waitUntil("the mark is the real one's", () => markOn(cluster) === "xid-48");
    expect(isCordoned(cluster)).toBe(true);
    expect(conditionOn(cluster)).toMatchObject({ status: "True", reason: "Xid48" });
  });

  it("closes the node again for what is real when a reaper has opened it for the test", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 3);
    await write(kernelLog, real(48));
    await waitUntil("the real one is shown", () => conditionOn(cluster)?.reason === "Xid48");
    // As a reaper that has not seen the real one yet.
    cluster.putNode();
    cluster.setStatus("one", { end });
    await waitUntil("the mark is the real one's", () => markOn(cluster) === "xid-48");
    expect(isCordoned(cluster)).toBe(true);
    await waitUntil("it is shown", () => conditionOn(cluster)?.reason === "Xid48");
  });

  it("does not close a node again for a real line from before somebody opened it", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await startAgent(setup, { detector: "cordon" });
    await write(kernelLog, real(48));
    await waitUntil("it is closed", () => markOn(cluster) === "xid-48");
    cluster.putNode();
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 3);
    cluster.setStatus("one", { end });
    await waitUntil("it is cleared", () => conditionOn(cluster)?.status === "False");
    expect(isCordoned(cluster)).toBe(false);
  });

  it("leaves the node closed for what was real when the agent comes back", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const nowMs = cluster.clock.nowMs();
    const message = "XID 48 on GPU 0000:3b:00";
    const condition = { type: ownCondition, status: "True", reason: "Xid48", message };
    cluster.putNode({
      metadata: { annotations: { [marks.cordonedBy]: id } },
      spec: { unschedulable: true },
      status: { conditions: [condition] },
    });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs, end }));
    await startAgent(setup, { detector: "cordon" });
    await waitUntil("the mark is the real one's", () => markOn(cluster) === "xid-48");
    expect(isCordoned(cluster)).toBe(true);
    expect(conditionOn(cluster)).toMatchObject({ status: "True", reason: "Xid48" });
  });

  it("counts a storm of the same line once", async () => {
    const setup = await agentSetup();
    const { api } = setup.cluster;
    await startAgent(setup, { detector: "condition" });
    await write(setup.kernelLog, ...Array.from({ length: 20 }, () => real(79)), real(48));
    await waitUntil("the last is shown", () => conditionOn(setup.cluster)?.reason === "Xid48");
    expect(api.seen.filter(({ method }) => method === "PATCH")).toHaveLength(2);
  });

  it("does not react to what was in the log before it was ever there", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await writeFile(kernelLog, "");
    await write(kernelLog, real(79));
    await startAgent(setup, { detector: "condition" });
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(armedFault("one", xidAction(id, { lines: [{ xid: 48 }] }), { nowMs }));
    await waitUntil("the next is shown", () => conditionOn(cluster)?.status === "True");
    expect(conditionOn(cluster)?.reason).toBe("Xid48");
    expect(cluster.api.seen.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  it("finds a line of a live fault that was written before it came, and none of one that ended", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const over = "d".repeat(12);
    const line = (correlationId: string, xid: number) =>
      formatXidLine({ xid, pci: "0000:3b:00", correlationId });
    await write(kernelLog, line(over, 79), line(id, 48));
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(armedFault("over", xidAction(over), { nowMs, state: "reverted", end }));
    cluster.putFault(armedFault("one", xidAction(id), { nowMs, state: "injected" }));
    await startAgent(setup, { detector: "condition" });
    await waitUntil("it was seen", () => cluster.fault("one").status?.state === "observed");
    expect(conditionOn(cluster)?.reason).toBe("Xid48");
    expect(sightingsOf(cluster, "over")).toEqual([]);
  });

  it("takes away what an agent before has left for a fault that is over", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const left = { type: ownCondition, status: "True", message: `XID 79 on GPU x tessera=${id}` };
    cluster.putNode({
      metadata: { annotations: { [marks.cordonedBy]: id } },
      spec: { unschedulable: true },
      status: { conditions: [left] },
    });
    await startAgent(setup, { detector: "condition" });
    await waitUntil("it is cleared", () => conditionOn(cluster)?.status === "False");
    await waitUntil("it is open", () => !isCordoned(cluster));
  });

  it("leaves what an agent before has shown for the hardware", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const left = {
      type: ownCondition,
      status: "True",
      message: "XID 79 on GPU x",
      reason: "Xid79",
    };
    cluster.putNode({
      metadata: { annotations: { [marks.cordonedBy]: "xid-79" } },
      spec: { unschedulable: true },
      status: { conditions: [left] },
    });
    await startAgent(setup, { detector: "cordon" });
    await write(kernelLog, real(48));
    await waitUntil("the next is shown", () => conditionOn(cluster)?.reason === "Xid48");
    expect(conditionOn(cluster)?.lastTransitionTime).toBeUndefined();
    expect(markOn(cluster)).toBe("xid-79");
  });

  it("does not close a node again that somebody opened while the agent was away", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const first = await startAgent(setup, { detector: "cordon" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 3);
    await first.stop();
    cluster.putNode({ status: cluster.node().status ?? {} });
    await startAgent(setup, { detector: "cordon" });
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(
      armedFault("two", xidAction("a".repeat(12), { lines: [{ xid: 43 }] }), { nowMs }),
    );
    await waitUntil("it reads on", () => sightingsOf(cluster, "two").length > 0);
    expect(isCordoned(cluster)).toBe(false);
  });

  it("waits for an API server that says no, and then shows the line", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const agent = await startAgent(setup, { detector: "condition" });
    cluster.fail.nodes = true;
    await write(kernelLog, real(79));
    await waitUntil("it failed", () => agent.logged.some((text) => text.includes("yet")));
    expect(conditionOn(cluster)).toBeUndefined();
    cluster.fail.nodes = false;
    await waitUntil("the condition is set", () => conditionOn(cluster)?.status === "True");
  });

  it("reads nothing where it is off", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    await startAgent(setup, { detector: "off" });
    await write(kernelLog, real(79));
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(conditionOn(cluster)).toBeUndefined();
    expect(sightingsOf(cluster, "one")).toEqual([]);
  });
});
