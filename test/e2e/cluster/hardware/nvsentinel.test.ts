import { expect, it, onTestFinished } from "vitest";
import {
  createNvSentinelSimulator,
  describeNvSentinel,
  runConformance,
  whoCordoned,
  xidEvent,
} from "../../../../src/hardware/detectors/index.ts";
import type { NodeObject } from "../../../../src/hardware/objects/index.ts";
import { createFaultJudge } from "../../../../src/hardware/plan/index.ts";
import {
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { clock, connect, newNamespace } from "../kube/support/connect.ts";

const { nodes } = resourceTypes;
const random = createRng("nvsentinel on a cluster").stream("simulator");
const gpu = { "nvidia.com/gpu.present": "true" };

/** Nodes without a machine, gone with the test. */
async function makeNodes(client: KubeClient, wanted: readonly NodeObject[]): Promise<void> {
  onTestFinished(async () => {
    for (const { metadata } of wanted)
      await client.delete(nodes, { name: metadata.name ?? "" }).catch(() => undefined);
  });
  for (const node of wanted) await client.create(nodes, node);
}

async function setUp() {
  const client = await connect(sharedCluster().kubeconfigPath);
  const namespace = await newNamespace(client);
  const simulator = createNvSentinelSimulator({
    client,
    clock,
    random,
    read: () => undefined,
    kernelLogs: [],
    drain: null,
    namespace,
    log: () => undefined,
  });
  const node = (name: string) => client.get<NodeObject>(nodes, { name });
  return { client, namespace, simulator, node };
}

describeCluster("NVSentinel's simulator on a real API server", () => {
  it("does what the real one was seen to do, step by step", async () => {
    const { client, simulator, node } = await setUp();
    const names = Array.from({ length: 10 }, (_, at) => `n${at + 1}`);
    await makeNodes(client, [
      ...names.map((name) => ({
        metadata: { name, labels: gpu },
        spec: { unschedulable: name === "n7" },
      })),
      { metadata: { name: "nogpu" } },
    ]);
    const results = await runConformance({
      submit: async (event) => void (await simulator.submit(event)),
      uncordon: async (name) => {
        await client.patch(nodes, { name }, { merge: { spec: { unschedulable: null } } });
        await simulator.sweep();
      },
      node,
      breaker: () => simulator.breakerStatus(),
    });
    for (const { step, expected, observed } of results) expect(observed, step).toEqual(expected);
    expect(whoCordoned(await node("n4")).by).toBe("nvsentinel");
    expect(whoCordoned(await node("n7")).by).toBe("other");
  });

  it("sets its condition beside the kubelet's, and an Event for a line that is not fatal", async () => {
    const { client, simulator, node } = await setUp();
    await makeNodes(client, [{ metadata: { name: "sentinel-events", labels: gpu } }]);
    const about = { node: "sentinel-events", line: "the line", atMs: clock.nowMs() };
    const pci = "0000:3b:00";
    await simulator.submit(xidEvent({ xid: 43, pci, action: "NONE" }, { ...about, id: "1" }));
    const { items: events } = await listAll(client, eventType, {
      namespace: "default",
      fieldSelector: "involvedObject.name=sentinel-events,reason=SysLogsXIDErrorIsNotHealthy",
      project: (event: KubeObject & { readonly message?: string }) => event.message,
    });
    expect(events).toEqual(["ErrorCode:43 PCI:0000:3b:00 the line Recommended Action=NONE;"]);
    expect((await node("sentinel-events")).spec?.unschedulable).not.toBe(true);
    await simulator.submit(xidEvent({ xid: 79, pci, action: "RESTART_BM" }, { ...about, id: "2" }));
    const closed = await node("sentinel-events");
    expect(closed.spec?.unschedulable).toBe(true);
    expect(closed.status?.conditions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "SysLogsXIDError", status: "True" }),
      ]),
    );
  });

  it("is told from the real one, which is not installed here", async () => {
    const { client, namespace } = await setUp();
    expect(await describeNvSentinel(client, { namespace })).toEqual({ namespace, parts: [] });
  });
});

describeCluster("the guard on a real API server", () => {
  it("says no to a namespace and a node that have not said yes, and yes to those that have", async () => {
    const { client, namespace } = await setUp();
    await makeNodes(client, [
      {
        metadata: { name: "guarded", labels: { ...gpu, "tessera.dev/hardware-faults": "allowed" } },
      },
    ]);
    const judge = createFaultJudge({ client, clock, namespace });
    const action = {
      kind: "partition",
      namespace,
      policy: "cut",
      podSelector: { app: "web" },
      direction: "both",
    } as const;
    const before = await judge.judge({ action, namespace, run: "r" });
    const verdicts = (findings: typeof before.findings) =>
      Object.fromEntries(findings.map(({ rule, verdict }) => [rule, verdict]));
    expect(verdicts(before.findings)["namespace"]).toBe("refuse");
    const labels = { "tessera.dev/hardware-faults": "allowed" };
    await client.patch(
      resourceTypes.namespaces,
      { name: namespace },
      { merge: { metadata: { labels } } },
    );
    const after = await judge.judge({ action, namespace, run: "r" });
    expect(verdicts(after.findings)["namespace"]).toBe("ok");
    const xid = await judge.judge({
      action: {
        kind: "xid",
        node: "guarded",
        gpu: { index: 0 },
        lines: [{ xid: 79 }],
        correlationId: "0123456789ab",
      },
      namespace,
      run: "r",
    });
    // It has no kubelet: broken already.
    expect(verdicts(xid.findings)).toMatchObject({ "node-opt-in": "ok", "node-ready": "refuse" });
  });
});

const eventType = {
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
} as const;
