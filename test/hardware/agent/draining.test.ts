import { describe, expect, it } from "vitest";
import { marks } from "../../../src/hardware/objects/index.ts";
import { formatXidLine } from "../../../src/hardware/xid/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { end, isCordoned, sightingsOf, write } from "./support/detector-view.ts";
import { armedFault, namespace, node, podsPath, xidAction } from "./support/fake-hardware.ts";
import { agentSetup, startAgent } from "./support/start-agent.ts";

const id = "0123456789ab";

describe("draining", () => {
  const pod = (name: string, more: { readonly owner?: string; readonly gpus?: string } = {}) => ({
    metadata: {
      name,
      namespace: "team",
      ...(more.owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: "apps/v1", kind: more.owner, name: "o", uid: "u" }] }),
    },
    spec: {
      nodeName: node,
      containers: [{ name: "main", resources: { limits: { "nvidia.com/gpu": more.gpus ?? "1" } } }],
    },
    status: { phase: "Running" },
  });

  it("asks pods with GPUs to leave, those with a budget again and again, and no others", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const pods = () => [...cluster.api.table.collection(podsPath).keys()].toSorted();
    cluster.api.put(podsPath, pod("worker", { owner: "ReplicaSet" }));
    cluster.api.put(podsPath, pod("guarded"));
    cluster.api.put(podsPath, pod("daemon", { owner: "DaemonSet" }));
    cluster.api.put(podsPath, pod("web", { gpus: "0" }));
    cluster.protectedPods.add("team/guarded");
    await startAgent(setup, { detector: "drain" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("the first left", () => !pods().includes("team/worker"));
    await waitUntil("the budget said no", () => sightingsOf(cluster, "one").length === 3);
    cluster.protectedPods.clear();
    await waitUntil("the drain is done", () =>
      sightingsOf(cluster, "one").includes("tessera drain"),
    );
    expect(pods()).toEqual(["team/daemon", "team/web"]);
    expect(cluster.fault("one").status?.sightings?.at(-1)?.detail).toBe("2 pods were evicted");
  });

  const line = formatXidLine({ xid: 79, pci: "0000:3b:00", correlationId: id });
  const detail = `XID 79 on GPU 0000:3b:00 tessera=${id}`;
  const seen = (what: string) => ({ at: end.at, by: "tessera", what, detail });

  it("goes on where an agent before was cut short", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    cluster.api.put(podsPath, pod("worker"));
    cluster.putNode({
      metadata: { annotations: { [marks.cordonedBy]: id } },
      spec: { unschedulable: true },
    });
    await write(kernelLog, line);
    const sightings = [seen("line"), seen("condition"), seen("cordon")];
    cluster.putFault(armedFault("one", xidAction(id), { nowMs, state: "observed", sightings }));
    await startAgent(setup, { detector: "drain" });
    await waitUntil("the drain is done", () =>
      sightingsOf(cluster, "one").includes("tessera drain"),
    );
    expect(cluster.api.table.collection(podsPath).has("team/worker")).toBe(false);
  });

  it.each([
    ["was done with it", true, true],
    ["closed a node that somebody has opened since", false, false],
  ])("does not begin again where an agent before %s", async (_, cordoned, drained) => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    cluster.api.put(podsPath, pod("worker"));
    if (cordoned) {
      cluster.putNode({
        metadata: { annotations: { [marks.cordonedBy]: id } },
        spec: { unschedulable: true },
      });
    }
    await write(kernelLog, line);
    const sightings = [seen("line"), seen("cordon"), ...(drained ? [seen("drain")] : [])];
    cluster.putFault(armedFault("one", xidAction(id), { nowMs, state: "observed", sightings }));
    await startAgent(setup, { detector: "drain" });
    const later = xidAction("a".repeat(12), { lines: [{ xid: 43, delayMs: 500 }] });
    cluster.putFault(armedFault("two", later, { nowMs }));
    await waitUntil("a later line was seen", () => sightingsOf(cluster, "two").length > 0);
    expect(cluster.api.table.collection(podsPath).has("team/worker")).toBe(true);
    expect(sightingsOf(cluster, "one")).toHaveLength(sightings.length);
  });

  it("stops asking when the fault ends", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    cluster.api.put(podsPath, pod("guarded"));
    cluster.protectedPods.add("team/guarded");
    await startAgent(setup, { detector: "drain" });
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it was seen", () => sightingsOf(cluster, "one").length === 3);
    cluster.setStatus("one", { end });
    await waitUntil("it is open", () => !isCordoned(cluster));
    cluster.protectedPods.clear();
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(
      armedFault("two", xidAction("a".repeat(12), { lines: [{ xid: 43, delayMs: 2500 }] }), {
        nowMs,
      }),
    );
    await waitUntil("a round later", () => cluster.fault("two").status?.state === "observed");
    expect(cluster.api.table.collection(podsPath).has("team/guarded")).toBe(true);
    expect(namespace).toBe(cluster.fault("one").metadata.namespace);
  });
});
