import { describe, expect, it } from "vitest";
import { snapshotNode, takeBack } from "../../../src/hardware/undo/index.ts";
import { collections, type FakeKube, startFakeKube } from "../../support/fake-kube/index.ts";
import { nodeUndo, policyUndo, workloadUndo } from "../faults/sample.ts";

const line = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, x tessera=0123456789ab";
const control = { kind: "control", node: "n1", scope: "serving.deployment.vllm" } as const;

function putNode(kube: FakeKube): void {
  kube.put(collections.nodes, {
    metadata: { name: "n1", labels: { zone: "a" } },
    spec: { podCIDR: "10.0.0.0/24" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
}

/** What NVSentinel does after a fatal line. */
function quarantine(kube: FakeKube): void {
  kube.edit(collections.nodes, "n1", (node) => {
    const event = { checkName: "SysLogsXIDError", nodeName: "n1", message: line };
    node.metadata.annotations = {
      ...node.metadata.annotations,
      quarantineHealthEvent: JSON.stringify([event]),
      quarantineHealthEventIsCordoned: "True",
    };
    node.metadata.labels = {
      ...node.metadata.labels,
      "k8saas.nvidia.com/cordon-by": "NVSentinel",
      "dgxc.nvidia.com/nvsentinel-state": "draining",
    };
    node["spec"] = { ...(node["spec"] as object), unschedulable: true };
    node["status"] = {
      conditions: [
        { type: "Ready", status: "True" },
        { type: "SysLogsXIDError", status: "True", message: `ErrorCode:79 ${line};` },
      ],
    };
  });
}

function putPolicy(kube: FakeKube, fault: string): void {
  const labels = { "tessera.dev/fault": fault };
  kube.put(collections.networkPolicies, {
    metadata: { name: "cut", namespace: "serving", labels },
  });
}

function plain(kube: FakeKube, collection: string, key: string) {
  const { metadata, ...rest } = kube.get(collection, key) ?? { metadata: { name: "" } };
  const { annotations = {}, labels = {} } = metadata;
  return { ...rest, annotations, labels };
}

async function setUp() {
  const { kube, client, clock } = await startFakeKube();
  const ports = { client, clock, leaseUntilMs: clock.nowMs() + 10_000, settleMs: 0 };
  return { kube, client, clock, ports };
}

describe("taking a node back", () => {
  it("leaves it as it was, with what somebody else changed meanwhile", async () => {
    const { kube, client, ports } = await setUp();
    putNode(kube);
    const before = plain(kube, collections.nodes, "n1");
    const undo = await snapshotNode(client, "n1");
    quarantine(kube);
    kube.edit(collections.nodes, "n1", ({ metadata }) => {
      metadata.labels = { ...metadata.labels, mine: "yes" };
    });
    expect(await takeBack(undo, ports)).toEqual({ left: [] });
    const labels = { ...before.labels, mine: "yes" };
    expect(plain(kube, collections.nodes, "n1")).toEqual({ ...before, labels });
    kube.requests.length = 0;
    await takeBack(undo, ports);
    expect(kube.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("opens the node first, so that NVSentinel cancels, and clears what that leaves", async () => {
    const { kube, client, ports } = await setUp();
    putNode(kube);
    const undo = await snapshotNode(client, "n1");
    quarantine(kube);
    const opened: unknown[] = [];
    const unsubscribe = kube.store.subscribe(({ object }) => {
      if (object["spec"] === undefined || opened.length > 0) return;
      if ((object["spec"] as { unschedulable?: boolean }).unschedulable === true) return;
      opened.push(object.metadata.annotations?.["quarantineHealthEventIsCordoned"]);
      unsubscribe();
      kube.edit(collections.nodes, "n1", ({ metadata }) => {
        metadata.annotations = { quarantinedNodeUncordonedManually: "True" };
        delete metadata.labels?.["dgxc.nvidia.com/nvsentinel-state"];
      });
    });
    await takeBack(undo, { ...ports, settleMs: 5_000 });
    expect(opened).toEqual(["True"]);
    expect(plain(kube, collections.nodes, "n1")).toMatchObject({
      annotations: {},
      labels: { zone: "a" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
  });

  it("begins again when the node changes under its hands, and gives up after a while", async () => {
    const { kube, client, ports } = await setUp();
    putNode(kube);
    const undo = await snapshotNode(client, "n1");
    quarantine(kube);
    let touches = 3;
    kube.interfere = ({ method }) => {
      if (method === "PATCH" && touches-- > 0)
        kube.edit(collections.nodes, "n1", ({ metadata }) => {
          metadata.annotations = { ...metadata.annotations, touch: String(touches) };
        });
      return undefined;
    };
    await takeBack(undo, ports);
    expect(plain(kube, collections.nodes, "n1").annotations).toEqual({ touch: "0" });
    quarantine(kube);
    touches = Number.POSITIVE_INFINITY;
    await expect(takeBack(undo, ports)).rejects.toMatchObject({ code: "E_KUBE_CONFLICT" });
  });

  it("says that the node is gone; an unreachable server is an error", async () => {
    const { kube, ports } = await setUp();
    expect(await takeBack(nodeUndo("n1"), ports)).toEqual({ left: ["node n1 is gone"] });
    kube.interfere = () => ({ status: 403 });
    await expect(takeBack(nodeUndo("n1"), ports)).rejects.toMatchObject({
      code: "E_KUBE_FORBIDDEN",
    });
  });
});

describe("taking the other entries back", () => {
  it("takes our fields out of a workload, beside what others put in", async () => {
    const { kube, ports } = await setUp();
    const deployment = kube.put(collections.deployments, {
      metadata: {
        name: "vllm",
        namespace: "serving",
        annotations: { "tessera.dev/cuda-passthrough": "f1" },
      },
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: "main",
                env: [
                  { name: "A", value: "1" },
                  { name: "LD_PRELOAD", value: "/run/lib.so" },
                  { name: "THEIRS", value: "x" },
                ],
              },
            ],
          },
        },
      },
    });
    const undo = workloadUndo(deployment.metadata.uid ?? "");
    expect(await takeBack(undo, ports)).toEqual({ left: [] });
    expect(plain(kube, collections.deployments, "serving/vllm")).toMatchObject({
      annotations: {},
      spec: {
        template: {
          spec: {
            containers: [
              {
                env: [
                  { name: "A", value: "1" },
                  { name: "THEIRS", value: "x" },
                ],
              },
            ],
          },
        },
      },
    });
  });

  it("leaves a workload alone that was made anew, and one that is gone", async () => {
    const { kube, ports } = await setUp();
    const [gone] = (await takeBack(workloadUndo("u"), ports)).left;
    expect(gone).toContain("is gone");
    kube.put(collections.deployments, { metadata: { name: "vllm", namespace: "serving" } });
    const [anew] = (await takeBack(workloadUndo("another"), ports)).left;
    expect(anew).toContain("made anew");
  });

  it("deletes an object that we made, once", async () => {
    const { kube, ports } = await setUp();
    putPolicy(kube, "f1");
    const ours = { ...ports, fault: "f1" };
    expect(await takeBack(policyUndo, ours)).toEqual({ left: [] });
    expect(kube.get(collections.networkPolicies, "serving/cut")).toBeUndefined();
    expect(await takeBack(policyUndo, ours)).toEqual({ left: [] });
  });

  it.each([
    ["of another fault", "f2", "f1"],
    ["that we cannot know to be ours", "f1", undefined],
  ])("leaves an object %s, and says so", async (_, owner, fault) => {
    const { kube, ports } = await setUp();
    putPolicy(kube, owner);
    const { left } = await takeBack(policyUndo, fault === undefined ? ports : { ...ports, fault });
    expect(left).toEqual(["NetworkPolicy serving/cut is somebody else's"]);
    expect(kube.get(collections.networkPolicies, "serving/cut")).toBeDefined();
  });

  it("leaves an object that somebody else made between the look and the deletion", async () => {
    const { kube, ports } = await setUp();
    putPolicy(kube, "f1");
    kube.interfere = ({ method }) => {
      if (method !== "DELETE") return undefined;
      kube.remove(collections.networkPolicies, "serving/cut");
      putPolicy(kube, "f2");
      return undefined;
    };
    const { left } = await takeBack(policyUndo, { ...ports, fault: "f1" });
    expect(left).toHaveLength(1);
    expect(kube.get(collections.networkPolicies, "serving/cut")).toBeDefined();
  });

  it("leaves the same values that are there for another fault", async () => {
    const { kube, ports } = await setUp();
    const annotations = { "tessera.dev/cuda-passthrough": "f2" };
    const env = [{ name: "LD_PRELOAD", value: "/run/lib.so" }];
    const { metadata } = kube.put(collections.deployments, {
      metadata: { name: "vllm", namespace: "serving", annotations },
      spec: { template: { spec: { containers: [{ name: "main", env }] } } },
    });
    const { left } = await takeBack(workloadUndo(metadata.uid ?? ""), ports);
    expect(left[0]).toContain("the shim of fault f2");
    expect(kube.get(collections.deployments, "serving/vllm")).toMatchObject({
      metadata: { annotations },
      spec: { template: { spec: { containers: [{ env }] } } },
    });
  });

  it("disarms a control block, or waits for its lease where it cannot", async () => {
    const { ports, clock } = await setUp();
    const disarmed: unknown[] = [];
    await takeBack(control, { ...ports, disarm: async (undo) => void disarmed.push(undo) });
    expect(disarmed).toEqual([control]);
    await expect(takeBack(control, ports)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    const past = { ...ports, leaseUntilMs: clock.nowMs() - 2_000 };
    expect((await takeBack(control, past)).left[0]).toContain("ended by itself");
  });
});
