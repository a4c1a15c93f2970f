import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../../../src/platform/log/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import {
  createKubernetesCluster,
  type KubernetesSettings,
} from "../../../../src/validation/clusters/kubernetes/index.ts";
import { failure } from "../../../platform/kube/support/fake-api.ts";
import { fakeCluster, random } from "../../../platform/kube/support/fake-cluster.ts";
import { advanceUntil } from "../../../platform/kube/support/reflector-setup.ts";
import { jobRequest } from "./support/requests.ts";

const nodes = "/api/v1/nodes";
const pods = "/api/v1/pods";
const jobs = "/apis/batch/v1/jobs";

/** A cluster on a fake server, with waits on a clock that only tests move. */
async function setUp(settings: Partial<KubernetesSettings> = {}) {
  const clock = new VirtualClock({ epochMs: 1_750_000_000_000 });
  const { api, client } = await fakeCluster({ clock });
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const cluster = createKubernetesCluster({
    name: "prod",
    client,
    clock,
    random,
    log: createLogger({ level: "info", format: "json", clock, stream }),
    settings: { image: `tessera@sha256:${"0".repeat(64)}`, ...settings },
  });
  onTestFinished(() => cluster.stop());
  const state = () => cluster.view().trust.state;
  const until = (what: string, holds: () => boolean) => advanceUntil(clock, what, holds);
  return { api, client, clock, cluster, lines, state, until };
}

function node(name: string) {
  const allocatable = { cpu: "64", memory: "512Gi", pods: "110", "nvidia.com/gpu": "8" };
  return {
    metadata: { name },
    status: { allocatable, conditions: [{ type: "Ready", status: "True" }] },
  };
}

const request = jobRequest({ node: "a", gpus: 8, id: "0123456789abcdef0123" });

describe("the view of a Kubernetes cluster", () => {
  it("is starting before the first lists, then current, and follows changes without another list", async () => {
    const { api, cluster, state, until } = await setUp();
    api.put(nodes, node("a"));
    expect(cluster.view()).toMatchObject({ trust: { state: "starting" }, nodes: [], jobs: [] });
    let told = 0;
    const stop = cluster.subscribe(() => told++);
    cluster.start();
    cluster.start();
    await until("it is current", () => state() === "current");
    expect(cluster.view().nodes).toMatchObject([{ name: "a", gpus: 8, notFree: [] }]);
    expect(told).toBeGreaterThan(0);
    const holder = {
      metadata: { name: "p", namespace: "ml" },
      spec: { nodeName: "a", containers: [{ resources: { requests: { "nvidia.com/gpu": "1" } } }] },
      status: { phase: "Running" },
    };
    api.put(pods, holder);
    await until("it is busy", () => cluster.view().nodes[0]?.notFree[0]?.code === "busy");
    api.remove(pods, "ml/p");
    await until("it is free", () => cluster.view().nodes[0]?.notFree.length === 0);
    const lists = api.seen.filter(({ url }) => !url.searchParams.has("watch"));
    expect(lists.map(({ url }) => url.pathname).toSorted()).toEqual(
      [nodes, pods, "/apis/batch/v1/namespaces/default/jobs"].toSorted(),
    );
    stop();
    const before = told;
    api.put(pods, holder);
    await until("it is busy again", () => cluster.view().nodes[0]?.notFree.length === 1);
    expect(told).toBe(before);
  });

  it("renews its watches before their silence would make it doubt them", async () => {
    const { api, cluster, state, until } = await setUp();
    cluster.start();
    await until("it is current", () => state() === "current");
    await until("it watches", () => api.watchCount === 3);
    const asked = api.seen.flatMap(({ url }) => url.searchParams.get("timeoutSeconds") ?? []);
    expect(asked).toHaveLength(3);
    for (const seconds of asked) expect(Number(seconds)).toBeLessThan(90);
  });

  it.each([
    ["a dead server", { status: 503 }],
    ["an expired login", { status: 401, body: failure(401, "Unauthorized") }],
    ["too many requests", { status: 429, headers: { "retry-after": "1" } }],
    ["a place that is too old", { status: 410, body: failure(410, "Expired") }],
  ] as const)("is stale after %s, says so once, and recovers", async (_, fault) => {
    const { api, cluster, lines, state, until } = await setUp();
    api.put(nodes, node("a"));
    cluster.start();
    await until("it is current", () => state() === "current");
    await until("it watches", () => api.watchCount === 3);
    for (let times = 0; times < 4; times++) api.failNext("any", fault);
    api.dropWatches();
    await until("it is stale", () => state() === "stale");
    expect(cluster.view().trust).toMatchObject({
      sinceMs: expect.any(Number),
      reason: expect.stringMatching(/^Changes of .* may be missing: .+\.$/),
    });
    api.clearFaults();
    await until("it is current again", () => state() === "current");
    expect(cluster.view().nodes).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"warn"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("current again"))).toHaveLength(1);
  });

  it("is never current again after it was stopped", async () => {
    const { cluster, state, until } = await setUp();
    cluster.start();
    await until("it is current", () => state() === "current");
    await cluster.stop();
    await cluster.stop();
    expect(cluster.view().trust).toMatchObject({
      state: "stale",
      reason: "The cluster is no longer watched.",
    });
  });

  it("warns of an image that is not given by digest", async () => {
    const { cluster, lines } = await setUp({ image: "tessera:latest" });
    cluster.start();
    expect(lines.join("")).toContain("not given by digest");
  });

  it("is not made of a template that cannot work", async () => {
    const template = { file: "mine.yaml", text: "kind: Job\n" };
    await expect(setUp({ template })).rejects.toMatchObject({ code: "E_TEMPLATE_INVALID" });
  });
});

describe("submitting and cancelling", () => {
  const posts = (api: { seen: readonly { method: string }[] }) =>
    api.seen.filter(({ method }) => method === "POST").length;

  it("does once what is asked for twice", async () => {
    const { api, cluster } = await setUp();
    await cluster.submit(request);
    await cluster.submit(request);
    expect(api.table.collection(jobs).size).toBe(1);
    await cluster.cancel(request.intent.jobName);
    await cluster.cancel(request.intent.jobName);
    expect(api.table.collection(jobs).size).toBe(0);
  });

  it("leaves others' jobs of that name alone", async () => {
    const { api, cluster } = await setUp();
    api.put(jobs, { metadata: { name: request.intent.jobName, namespace: "default" } });
    await expect(cluster.submit(request)).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
      message: expect.stringContaining("belongs to nobody's run we know"),
    });
    await cluster.cancel(request.intent.jobName);
    expect(api.table.collection(jobs).size).toBe(1);
  });

  it.each([400, 403, 404, 413, 422])("is refused for good with %i", async (status) => {
    const { api, cluster } = await setUp();
    const body = { ...failure(status, "Invalid"), message: "spec.x: Forbidden by policy." };
    api.failNext("any", { status, body });
    await expect(cluster.submit(request)).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
      message: expect.stringContaining("spec.x: Forbidden by policy."),
    });
    expect(posts(api)).toBe(1);
  });

  it.each([
    [401, "E_KUBE_UNAUTHORIZED"],
    [409, "E_KUBE_CONFLICT"],
    [500, "E_KUBE_FAILED"],
  ])("passes on %i, which may pass", async (status, code) => {
    const { api, cluster } = await setUp();
    for (let times = 0; times < 10; times++) {
      api.failNext("any", { status, body: failure(status, "Conflict") });
    }
    await expect(cluster.submit(request)).rejects.toMatchObject({ code });
  });
});
