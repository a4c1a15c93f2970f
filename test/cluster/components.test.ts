import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { type Cluster, startCluster } from "./fixture.ts";
import { waitFor } from "./machine/wait.ts";
import { describeCluster, sharedCluster } from "./shared.ts";
import { untilHealthy } from "./support/health.ts";

const clock = createRealClock();

async function isReachable(cluster: Cluster, withinSeconds = 30): Promise<boolean> {
  const probe = ["get", "--raw", "/readyz", `--request-timeout=${withinSeconds}s`];
  return cluster.kubectl(probe).then(
    () => true,
    () => false,
  );
}

describeCluster("the cluster that all suites share", () => {
  it("has a healthy control plane behind a certificate of its own", async () => {
    const cluster = sharedCluster();
    const status = await untilHealthy(cluster);
    expect(status.map(({ name }) => name).toSorted()).toEqual([
      "apiserver",
      "controller-manager",
      "etcd",
      "scheduler",
    ]);
    expect(await cluster.kubectl(["get", "serviceaccount", "default", "-o", "name"])).toBe(
      "serviceaccount/default\n",
    );
  });

  it("lets nobody in without a certificate", async () => {
    const cluster = sharedCluster();
    const anonymous = await cluster.exec([
      ...(["node", "-e"] as const),
      `process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
       fetch("${cluster.serverUrl}/api/v1/nodes").then((answer) => console.log(answer.status));`,
    ]);
    expect(anonymous.stdout.trim()).toBe("403");
  });
});

describeCluster("the components of a cluster", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ extraArgs: { apiserver: ["--watch-cache=false"] } });
  });
  afterAll(() => cluster?.stop());

  it("stay ended when a test ends them, until it starts them", async () => {
    await cluster.component("apiserver").kill("SIGKILL");
    expect(await cluster.component("apiserver").status()).toMatchObject({
      state: "stopped",
      healthy: false,
      lastExit: "SIGKILL",
    });
    expect(await isReachable(cluster)).toBe(false);
    await cluster.component("apiserver").start();
    expect(await isReachable(cluster)).toBe(true);
  });

  it("freeze and thaw", async () => {
    await cluster.component("apiserver").kill("SIGSTOP");
    expect(await isReachable(cluster, 2)).toBe(false);
    await cluster.component("apiserver").kill("SIGCONT");
    await waitFor({ clock, what: "the API server", timeoutMs: 60_000 }, () => isReachable(cluster));
  });

  it("come back on their own when they end on their own", async () => {
    const before = await cluster.component("scheduler").status();
    await cluster.exec(["kill", "-KILL", String(before.pid)]);
    const after = await waitFor(
      { clock, what: "the scheduler to be back", timeoutMs: 120_000 },
      async () => {
        const now = await cluster.component("scheduler").status();
        return now.healthy && now.restarts === before.restarts + 1 ? now : undefined;
      },
    );
    expect(after.pid).not.toBe(before.pid);
  });

  it("keep their data over a kill of etcd", async () => {
    await cluster.kubectl(["create", "configmap", "kept", "--from-literal=a=1"]);
    await cluster.component("etcd").kill("SIGKILL");
    await cluster.component("etcd").start();
    await waitFor({ clock, what: "the API server", timeoutMs: 60_000 }, () => isReachable(cluster));
    const kept = await cluster.kubectl(["get", "configmap", "kept", "-o", "jsonpath={.data.a}"]);
    expect(kept).toBe("1");
  });

  it("forget history when etcd is compacted, so that an old watch gets 410", async () => {
    const version = "jsonpath={.metadata.resourceVersion}";
    const old = await cluster.kubectl(["get", "configmap", "kept", "-o", version]);
    // The last change before a compaction can still be read, so it takes two.
    await cluster.kubectl(["create", "configmap", "newer"]);
    await cluster.kubectl(["create", "configmap", "newest"]);
    const revision = await cluster.etcdCompact();
    expect(revision).toBeGreaterThan(Number(old));
    const path = `/api/v1/configmaps?watch=1&timeoutSeconds=5&resourceVersion=${old}`;
    const events = await cluster.kubectl(["get", "--raw", path]);
    expect(JSON.parse(events)).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });

  it("are named in the refusal of an unknown one", async () => {
    const unknown = cluster.component("kubelet-node-7").start();
    await expect(unknown).rejects.toThrow(/no component "kubelet-node-7"; it has etcd, apiserver/);
  });

  it("write logs that a test can read", () => {
    expect(cluster.logs("apiserver")).toContain("apiserver");
    expect(() => cluster.logs("kwok")).toThrow(/ENOENT/);
  });
});
