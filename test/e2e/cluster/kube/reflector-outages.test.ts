import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { KubeClient } from "../../../../src/platform/kube/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  connect,
  expectFresh,
  newNamespace,
  reflectConfigMaps,
  remove,
  untilWatching,
  writeMany,
} from "./support/connect.ts";
import { FaultProxy } from "./support/fault-proxy.ts";

describeCluster("the reflector through outages of the control plane", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({});
  });
  afterAll(() => cluster?.stop());

  /** A client for changes, and a reflector with connections of its own. */
  async function setUp(idleTimeoutMs = 60_000) {
    const direct = await connect(cluster.kubeconfigPath);
    const namespace = await newNamespace(direct);
    await writeMany(direct, namespace, "before", 12);
    const reflector = reflectConfigMaps(await connect(cluster.kubeconfigPath), namespace, {
      idleTimeoutMs,
    });
    await expectFresh(reflector, direct, namespace);
    await untilWatching(reflector);
    return { direct, namespace, reflector };
  }

  async function change(direct: KubeClient, namespace: string): Promise<void> {
    await untilReady(direct);
    await writeMany(direct, namespace, "during", 3);
    await remove(direct, namespace, "before-3");
  }

  it("sees what a fresh list shows after the API server was restarted", async () => {
    const { direct, namespace, reflector } = await setUp();
    await cluster.component("apiserver").restart();
    await change(direct, namespace);
    await expectFresh(reflector, direct, namespace);
  });

  it("says that it is stale while the API server is dead, and recovers", async () => {
    const { direct, namespace, reflector } = await setUp();
    await cluster.component("apiserver").kill("SIGKILL");
    await waitUntil("it knows", () => reflector.freshness.state === "stale");
    await waitUntil("it has tried", () => reflector.counts.failures > 2);
    await cluster.component("apiserver").start();
    await change(direct, namespace);
    await expectFresh(reflector, direct, namespace);
  });

  it("gives up on an API server that is frozen, and recovers", async () => {
    const { direct, namespace, reflector } = await setUp(3_000);
    const server = cluster.component("apiserver");
    await server.kill("SIGSTOP");
    onTestFinished(() => server.kill("SIGCONT"));
    await waitUntil("it knows", () => reflector.freshness.state === "stale");
    // By its clock it may know a moment before the watch is given up.
    await waitUntil("it says why", () => reflector.freshness.lastError !== undefined);
    // The second when the watch had been asked for and not yet answered.
    const { lastError } = reflector.freshness;
    expect(lastError?.message).toMatch(/silent for 3000 ms|did not finish within 3 s/);
    await server.kill("SIGCONT");
    await change(direct, namespace);
    await expectFresh(reflector, direct, namespace);
  });

  it("sees what a fresh list shows after etcd was restarted", async () => {
    const { direct, namespace, reflector } = await setUp();
    await cluster.component("etcd").restart();
    await change(direct, namespace);
    await expectFresh(reflector, direct, namespace);
  });

  it("lists again after a restart and a compaction have made its place unknown (410)", async () => {
    await expireBehindProxy(cluster, async () => {
      await cluster.etcdCompact();
      await cluster.component("apiserver").restart();
    });
  });
});

describeCluster("the reflector on an API server without a watch cache", () => {
  it("lists again after a compaction has made its place unknown (410)", async () => {
    await using cluster = await startCluster({ extraArgs: { apiserver: ["--watch-cache=false"] } });
    await expireBehindProxy(cluster, () => cluster.etcdCompact());
  });
});

/** Holds a reflector's connection still while things change and its place in history is lost. */
async function expireBehindProxy(cluster: Cluster, expire: () => Promise<unknown>): Promise<void> {
  const direct = await connect(cluster.kubeconfigPath);
  const namespace = await newNamespace(direct);
  await writeMany(direct, namespace, "before", 12);
  const proxy = await FaultProxy.start(new URL(cluster.serverUrl));
  const through = await connect(cluster.kubeconfigPath, (config) => ({
    server: new URL(`https://127.0.0.1:${proxy.port}`),
    tls: { ...config.tls, serverName: "kubernetes" },
  }));
  const failures: string[] = [];
  const onFailure = (error: Error) => failures.push(error.message);
  const reflector = reflectConfigMaps(through, namespace, { onFailure });
  await expectFresh(reflector, direct, namespace);
  // Of one that is not open yet the request would be given up before the connection is let go.
  await untilWatching(reflector);
  const deleted: string[] = [];
  reflector.subscribe((event) => {
    if (event.type === "deleted") deleted.push(event.key);
  });
  proxy.stall();
  await writeMany(direct, namespace, "during", 3);
  await remove(direct, namespace, "before-3");
  await expire();
  await untilReady(direct);
  await writeMany(direct, namespace, "after", 1);
  proxy.heal();
  proxy.drop();
  await expectFresh(reflector, direct, namespace);
  expect(failures.join()).toContain("(410)");
  expect(reflector.counts.lists).toBe(2);
  expect(deleted).toEqual([`${namespace}/before-3`]);
}

async function untilReady(client: KubeClient): Promise<void> {
  const ready = () =>
    client.getText("/readyz").then(
      (text) => text === "ok",
      () => false,
    );
  await waitUntil("the API server is ready", ready, { timeoutMs: 60_000 });
}
