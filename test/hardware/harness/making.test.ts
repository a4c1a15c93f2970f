import { describe, expect, it } from "vitest";
import { ManagedDeployment } from "../../../src/hardware/harness/index.ts";
import { faultLabels } from "../../../src/hardware/objects/index.ts";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import type { KubeClient } from "../../../src/platform/kube/index.ts";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";
import { FakeCluster } from "./lib/fake-cluster.ts";
import { FakeFaults } from "./lib/fake-faults.ts";

const manifest = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "made", labels: { app: "made" } },
  spec: { replicas: 1, selector: { matchLabels: { app: "made" } } },
};

type Create = KubeClient["create"];

/** A test that makes its workload, in a cluster where creating is as told. */
function setUp(change: (create: Create, clock: VirtualClock) => Create = (create) => create) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const abort = new AbortController();
  const { client } = cluster;
  client.create = change(client.create.bind(client), clock);
  const start = () =>
    ManagedDeployment.start({
      namespace: "shop",
      workload: { manifest },
      enableHwFaults: true,
      client,
      api: new FakeFaults(),
      clock,
      signal: abort.signal,
      readyTimeoutMs: 1000,
    });
  return { clock, cluster, abort, start };
}

function lostAnswer(): TesseraError {
  const failure = { mayHaveActed: true };
  return new TesseraError("E_KUBE_UNREACHABLE", {
    ...{ server: "127.0.0.1:1", problem: "socket hang up", source: "test" },
    failure,
  });
}

describe("making the workload under test", () => {
  it("marks it with the run and keeps the labels that it has", async () => {
    const { cluster, start } = setUp();
    await using d = await start();
    expect(cluster.workloads.get("made")?.metadata.labels).toEqual({
      app: "made",
      [faultLabels.run]: d.run,
    });
  });

  it("waits at an abort until it is made, and deletes it", async () => {
    const { clock, cluster, abort, start } = setUp(
      (create, clock) => async (type, object, call) => {
        await sleep(clock, 2000, call?.signal);
        return await create(type, object);
      },
    );
    const failing = expect(start()).rejects.toThrow("Ctrl-C");
    await clock.advance(1000);
    abort.abort(new Error("Ctrl-C"));
    await clock.advance(2000);
    await failing;
    expect(cluster.calls).toEqual(["create made", "delete made uid-made"]);
    expect(clock.timersPending).toBe(0);
  });

  it("deletes what was made though the answer was lost", async () => {
    const { clock, cluster, start } = setUp((create) => async (type, object) => {
      await create(type, object);
      throw lostAnswer();
    });
    const failing = expect(start()).rejects.toMatchObject({ code: "E_KUBE_UNREACHABLE" });
    await clock.advance(5000);
    await failing;
    expect(cluster.calls).toEqual(["create made", "delete made uid-made"]);
  });

  it("deletes what appears a moment after the answer was lost", async () => {
    const { clock, cluster, start } = setUp((create, clock) => async (type, object) => {
      clock.setTimer(1200, () => void create(type, object));
      throw lostAnswer();
    });
    const failing = expect(start()).rejects.toMatchObject({ code: "E_KUBE_UNREACHABLE" });
    await clock.advance(5000);
    await failing;
    expect(cluster.calls).toEqual(["create made", "delete made uid-made"]);
  });

  it("leaves one of the same name that somebody else made", async () => {
    const { clock, cluster, start } = setUp(() => () => Promise.reject(lostAnswer()));
    const metadata = { name: "made", uid: "other", labels: { [faultLabels.run]: "hw-other" } };
    cluster.workloads.set("made", { metadata });
    const failing = expect(start()).rejects.toMatchObject({ code: "E_KUBE_UNREACHABLE" });
    await clock.advance(5000);
    await failing;
    expect(cluster.calls).toEqual([]);
  });

  it("looks for nothing where the cluster refused for certain", async () => {
    const refused = new TesseraError("E_KUBE_CONFLICT", {
      ...{ request: "create made", problem: "it exists" },
      failure: { status: 409, mayHaveActed: true },
    });
    const { cluster, start } = setUp(() => () => Promise.reject(refused));
    cluster.unreachable = true;
    await expect(start()).rejects.toBe(refused);
  });

  it("says that it does not know, where nobody can tell whether it was made", async () => {
    const { cluster, start } = setUp(() => () => Promise.reject(lostAnswer()));
    cluster.unreachable = true;
    await expect(start()).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining(`${faultLabels.run}=hw-`),
    });
  });
});
