import { describe, expect, it } from "vitest";
import {
  ManagedDeployment,
  type ManagedDeploymentOptions,
} from "../../../src/hardware/harness/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { FakeCluster, gpuPod } from "./lib/fake-cluster.ts";
import { FakeFaults } from "./lib/fake-faults.ts";

const manifest = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "made" },
  spec: { replicas: 1, selector: { matchLabels: { app: "made" } } },
};

function setUp(more: Partial<ManagedDeploymentOptions> = {}) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const faults = new FakeFaults();
  const said: string[] = [];
  const options: ManagedDeploymentOptions = {
    namespace: "shop",
    workload: "server",
    enableHwFaults: true,
    client: cluster.client,
    api: faults,
    clock,
    readyTimeoutMs: 1000,
    onProgress: (text) => said.push(text),
    ...more,
  };
  return { clock, cluster, faults, said, start: () => ManagedDeployment.start(options) };
}

describe("leaving the scope of a managed deployment", () => {
  it("takes everything back after an error, and the error comes out", async () => {
    const { faults, start } = setUp();
    const failing = async () => {
      await using d = await start();
      await d.injectHwFault("xid");
      throw new Error("the assertion failed");
    };
    await expect(failing()).rejects.toThrow("the assertion failed");
    expect([...faults.faults.values()].map(({ state }) => state)).toEqual(["reverted"]);
  });

  it("begins to take back at the abort, while the test still waits for something", async () => {
    const abort = new AbortController();
    const { clock, faults, start } = setUp({ signal: abort.signal });
    const failing = async () => {
      await using d = await start();
      await d.injectHwFault("xid");
      await d.waitForNodeCordoned("gpu-1");
    };
    const ended = expect(failing()).rejects.toThrow("Ctrl-C");
    await clock.advance(1000);
    abort.abort(new Error("Ctrl-C"));
    await clock.advance(1000);
    await ended;
    expect(faults.calls.filter((call) => call.startsWith("revertRun"))).toHaveLength(1);
    expect(clock.timersPending).toBe(0);
  });

  it("says what could not be taken back instead of ending well", async () => {
    const { faults, start } = setUp();
    const failing = async () => {
      await using d = await start();
      await d.injectHwFault("xid");
      faults.unreachable.add("revertRun");
    };
    await expect(failing()).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("The fault API cannot be reached"),
    });
  });

  it("keeps both the error of the test and that of the end", async () => {
    const { faults, start } = setUp();
    const failing = async () => {
      await using d = await start();
      await d.injectHwFault("xid");
      faults.unreachable.add("revertRun");
      throw new Error("the assertion failed");
    };
    await expect(failing()).rejects.toMatchObject({
      name: "SuppressedError",
      error: { code: "E_HW_FAILED" },
      suppressed: { message: "the assertion failed" },
    });
  });

  it("deletes a workload that it made, that very one, and no other", async () => {
    const { cluster, start } = setUp({ workload: { manifest } });
    {
      await using d = await start();
      expect(d.workload).toEqual({ namespace: "shop", name: "made", kind: "deployment" });
    }
    expect(cluster.calls).toEqual(["create made", "delete made uid-made"]);
    const named = setUp();
    await (await named.start())[Symbol.asyncDispose]();
    expect(named.cluster.calls).toEqual([]);
  });

  it("deletes what it made also when the pods never serve", async () => {
    const { clock, cluster, start } = setUp({ workload: { manifest } });
    cluster.pods = [gpuPod("made-1", undefined, { phase: "Pending", ready: false })];
    const failing = expect(start()).rejects.toMatchObject({ code: "E_HW_TIMEOUT" });
    await clock.advance(3000);
    await failing;
    expect(cluster.calls).toEqual(["create made", "delete made uid-made"]);
  });

  it("deletes what it made also when a fault could not be taken back", async () => {
    const { cluster, faults, start } = setUp({ workload: { manifest } });
    const d = await start();
    await d.injectHwFault("xid");
    faults.unreachable.add("revertRun");
    await expect(d[Symbol.asyncDispose]()).rejects.toMatchObject({ code: "E_HW_FAILED" });
    expect(cluster.calls).toContain("delete made uid-made");
  });

  it("takes back once, however often it is left", async () => {
    const { faults, start } = setUp();
    const d = await start();
    await d.injectHwFault("xid");
    await Promise.all([d[Symbol.asyncDispose](), d[Symbol.asyncDispose]()]);
    expect(faults.calls.filter((call) => call.startsWith("revertRun"))).toHaveLength(1);
  });

  it("gives the pods of a Job the shim from the start, and of nothing else", async () => {
    const template = { spec: { containers: [{ name: "main", image: "train" }] } };
    const selector = { matchLabels: { job: "train" } };
    const job = { kind: "Job", metadata: { name: "train" }, spec: { selector, template } };
    const made = setUp({ workload: { manifest: job } });
    await using d = await made.start();
    const name = `${d.run}-passthrough`;
    expect(JSON.stringify(made.cluster.workloads.get("train"))).toContain(name);
    const off = setUp({ workload: { manifest: job }, enableHwFaults: false });
    await using other = await off.start();
    expect(other.workload.kind).toBe("job");
    expect(JSON.stringify(off.cluster.workloads.get("train"))).not.toContain("LD_PRELOAD");
  });

  it("refuses a manifest of a kind that it does not know", async () => {
    const { cluster, start } = setUp({ workload: { manifest: { ...manifest, kind: "Thing" } } });
    await expect(start()).rejects.toMatchObject({ code: "E_HW_WORKLOAD" });
    expect(cluster.calls).toEqual([]);
  });
});
