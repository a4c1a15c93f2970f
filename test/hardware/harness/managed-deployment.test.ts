import { describe, expect, it } from "vitest";
import {
  ManagedDeployment,
  type ManagedDeploymentOptions,
} from "../../../src/hardware/harness/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { FakeCluster, gpuPod, readyNode } from "./lib/fake-cluster.ts";
import { FakeFaults } from "./lib/fake-faults.ts";

function setUp(more: Partial<ManagedDeploymentOptions> = {}) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const faults = new FakeFaults();
  const said: string[] = [];
  faults.onInject = ({ action }) => {
    if (action.kind !== "passthrough") return;
    cluster.pods = [gpuPod("server-2", "gpu-1", { shim: true })];
  };
  const options: ManagedDeploymentOptions = {
    namespace: "shop",
    workload: "server",
    enableHwFaults: true,
    client: cluster.client,
    api: faults,
    clock,
    request: async () => true,
    readyTimeoutMs: 5000,
    onProgress: (text) => said.push(text),
    ...more,
  };
  return { clock, cluster, faults, said, start: () => ManagedDeployment.start(options) };
}

describe("a managed deployment", () => {
  it("runs the quick start from the baseline to the recovery, and takes everything back", async () => {
    const { cluster, faults, said, start } = setUp();
    {
      await using d = await start();
      expect(await d.inferenceRequest()).toBe(true);
      const node = await d.getHwFaultTargetNode();
      expect(node).toBe("gpu-1");
      await d.setupCudaPassthrough({ xid: 48 });
      await d.toggleCudaFaults(true);
      await d.injectHwFault("xid", { xid: 79 });
      expect(await d.isNodeCordoned(node)).toBe(false);
      cluster.nodes = [readyNode("gpu-1", { unschedulable: true }), readyNode("gpu-2")];
      expect(await d.isNodeCordoned(node)).toBe(true);
      expect(await d.isNodeCordoned(node, { by: "nvsentinel" })).toBe(false);
      await d.cleanupCudaSpecWithoutRestart();
      cluster.pods = [gpuPod("server-3", "gpu-2")];
      await d.waitForPodsOnHealthyNodes({ excludeNode: node });
      expect((await d.collectMetrics()).faults).toHaveLength(3);
    }
    expect(faults.requests.map(({ action }) => action)).toMatchObject([
      { kind: "passthrough", preferNode: "gpu-1", workload: { name: "server" } },
      { kind: "cuda", node: "gpu-1", fault: { xid: 48 } },
      { kind: "xid", node: "gpu-1", lines: [{ xid: 79 }] },
    ]);
    expect(faults.calls.map((call) => call.split(" ")[0])).toEqual([
      "inject",
      "inject",
      "inject",
      "releaseSpec",
      "revertRun",
    ]);
    expect([...faults.faults.values()].every(({ state }) => state === "reverted")).toBe(true);
    expect(said.join("\n")).toContain("are replaced by a roll-out");
  });

  it("plans the faults of a test without making one", async () => {
    const { faults, start } = setUp();
    await using d = await start();
    const plans = await d.planHwFault({ xid: 79 });
    expect(plans.map(({ text }) => text)).toEqual([
      "plan of passthrough",
      "plan of cuda",
      "plan of xid",
    ]);
    // An XID that no CUDA call notices needs no shim.
    expect(await d.planHwFault({ xid: 63 })).toHaveLength(1);
    expect(faults.requests).toEqual([]);
  });

  it("refuses every fault unless they are enabled", async () => {
    const { faults, start } = setUp({ enableHwFaults: false });
    await using d = await start();
    const disabled = { code: "E_HW_DISABLED" };
    await expect(d.setupCudaPassthrough()).rejects.toMatchObject(disabled);
    await expect(d.toggleCudaFaults(true)).rejects.toMatchObject(disabled);
    await expect(d.injectHwFault("xid")).rejects.toMatchObject(disabled);
    expect(await d.inferenceRequest()).toBe(true);
    expect(faults.calls).toEqual([]);
  });

  it("takes a cluster that cannot be asked for an error, not for a node that is open", async () => {
    const { cluster, start } = setUp();
    await using d = await start();
    cluster.unreachable = true;
    const unreachable = { code: "E_KUBE_UNREACHABLE" };
    await expect(d.isNodeCordoned("gpu-1")).rejects.toMatchObject(unreachable);
    await expect(d.waitForNodeCordoned("gpu-1")).rejects.toMatchObject(unreachable);
    await expect(d.waitForPodsOnHealthyNodes()).rejects.toMatchObject(unreachable);
    cluster.unreachable = false;
    expect(await d.isNodeCordoned("gpu-1")).toBe(false);
  });

  it("takes a fault API that cannot be reached for an error, and changes nothing", async () => {
    const { cluster, faults, start } = setUp();
    await using d = await start();
    faults.unreachable.add("inject");
    await expect(d.setupCudaPassthrough()).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
    expect(cluster.pods[0]?.metadata.name).toBe("server-1");
    faults.unreachable.clear();
  });

  it.each([
    ["pending", gpuPod("server-2", undefined, { phase: "Pending", ready: false }), "no node yet"],
    ["not ready", gpuPod("server-2", "gpu-2", { ready: false }), "not serving"],
    ["on the excluded node", gpuPod("server-2", "gpu-1"), "still on gpu-1"],
  ])("does not take a pod that is %s for healthy", async (_, pod, seen) => {
    const { clock, cluster, start } = setUp();
    await using d = await start();
    cluster.pods = [pod];
    const waiting = expect(
      d.waitForPodsOnHealthyNodes({ excludeNode: "gpu-1", timeoutMs: 3000 }),
    ).rejects.toMatchObject({ code: "E_HW_TIMEOUT", message: expect.stringContaining(seen) });
    await clock.advance(4000);
    await waiting;
  });

  it("says who cordoned a node when it waits for somebody else's cordon", async () => {
    const { clock, cluster, start } = setUp();
    await using d = await start();
    cluster.nodes = [readyNode("gpu-1", { unschedulable: true })];
    await expect(d.waitForNodeCordoned("gpu-1")).resolves.toMatchObject({ by: "other" });
    const waiting = expect(
      d.waitForNodeCordoned("gpu-1", { by: "nvsentinel", timeoutMs: 2000 }),
    ).rejects.toMatchObject({ message: expect.stringContaining("other cordoned it") });
    await clock.advance(3000);
    await waiting;
  });

  it("arms nothing before the shim is in", async () => {
    const { start } = setUp();
    await using d = await start();
    await expect(d.toggleCudaFaults(true)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
  });

  it("disarms by taking back the one fault, and arms again with another", async () => {
    const { faults, start } = setUp();
    await using d = await start();
    await d.setupCudaPassthrough();
    await d.toggleCudaFaults(true);
    await d.toggleCudaFaults(true);
    await d.toggleCudaFaults(false);
    await d.toggleCudaFaults(false);
    await d.toggleCudaFaults(true);
    const cuda = faults.requests.filter(({ action }) => action.kind === "cuda");
    expect(cuda.map(({ name }) => name?.split("-").slice(2).join("-"))).toEqual([
      "cuda-2",
      "cuda-3",
    ]);
    expect(faults.calls.filter((call) => call.startsWith("revert "))).toHaveLength(1);
  });

  it("waits for pods that have the shim, not for those from before", async () => {
    const { clock, faults, start } = setUp();
    faults.onInject = () => {};
    await using d = await start();
    const waiting = expect(d.setupCudaPassthrough()).rejects.toMatchObject({
      code: "E_HW_TIMEOUT",
      message: expect.stringContaining("0 of 1 pods have the shim"),
    });
    await clock.advance(6000);
    await waiting;
  });

  it("asks nobody where nobody said how", async () => {
    const { cluster, faults, clock } = setUp();
    await using d = await ManagedDeployment.start({
      namespace: "shop",
      workload: { name: "server" },
      client: cluster.client,
      api: faults,
      clock,
    });
    await expect(d.inferenceRequest()).rejects.toMatchObject({ code: "E_HW_WORKLOAD" });
  });

  it("takes a request without an answer for no service, and one that cannot be asked for an error", async () => {
    let answer = () => new Promise<boolean>(() => {});
    const { clock, start } = setUp({ request: () => answer() });
    await using d = await start();
    const late = expect(d.inferenceRequest({ timeoutMs: 1000 })).resolves.toBe(false);
    await clock.advance(2000);
    await late;
    answer = () => Promise.reject(new Error("no route to the API server"));
    await expect(d.inferenceRequest()).rejects.toThrow("no route to the API server");
  });
});
