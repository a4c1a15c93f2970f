import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../../../src/platform/log/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import {
  type ActAs,
  connectByRole,
  createKubernetesCluster,
  type KubernetesSettings,
} from "../../../../src/validation/clusters/kubernetes/index.ts";
import { fakeCluster, random } from "../../../platform/kube/support/fake-cluster.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { jobRequest } from "./support/requests.ts";

const actAs = { reader: "t/reader", submitter: "t/submitter", cordoner: "t/cordoner" } as const;
const clock = createRealClock();

/** A started cluster on a fake server, and as whom it made each request. */
async function setUp(roles: ActAs | undefined, settings: Partial<KubernetesSettings> = {}) {
  const { api, client } = await fakeCluster();
  const clients = connectByRole(client.config, roles, { clock, random });
  const cluster = createKubernetesCluster({
    name: "prod",
    client: clients.client,
    clientOf: clients.clientOf,
    clock,
    random,
    log: createLogger({ level: "error", format: "json", clock, stream: process.stderr }),
    settings: { image: "tessera:1", ...settings },
  });
  onTestFinished(async () => {
    await cluster.stop();
    clients.close();
  });
  api.put("/api/v1/nodes", { metadata: { name: "a" } });
  cluster.start();
  await waitUntil("the view is current", () => cluster.view().trust.state === "current");
  const asked = () =>
    new Set(
      api.seen.map(({ method, url, headers }) => {
        const kind = url.pathname
          .split("/")
          .find((part) => /^(nodes|pods|jobs|leases)$/.test(part));
        return `${method} ${kind} as ${String(headers["impersonate-user"] ?? "itself")}`;
      }),
    );
  return { api, cluster, clients, asked };
}

const request = jobRequest({ node: "a", gpus: 8, id: "0123456789abcdef0123" });

describe("a cluster with an account for each role", () => {
  it("looks as the reader, starts jobs as the submitter and marks nodes as the cordoner", async () => {
    const { cluster, clients, asked } = await setUp(actAs);
    await cluster.submit(request);
    await cluster.controls?.mark("a", { labels: { x: "1" } });
    const account = (name: string) => `as system:serviceaccount:t:${name}`;
    expect([...asked()].toSorted()).toEqual([
      `GET jobs ${account("reader")}`,
      `GET nodes ${account("reader")}`,
      `GET pods ${account("reader")}`,
      `PATCH nodes ${account("cordoner")}`,
      `POST jobs ${account("submitter")}`,
    ]);
    const leading = clients.connect();
    expect(leading.config.headers["Impersonate-User"]).toBe("system:serviceaccount:t:submitter");
    leading.close();
  });

  it("does all of it as itself where no account is said", async () => {
    const { cluster, asked } = await setUp(undefined);
    await cluster.submit(request);
    await cluster.controls?.mark("a", { labels: { x: "1" } });
    for (const one of asked()) expect(one).toMatch(/ as itself$/);
  });
});

describe("jobs of a cluster", () => {
  const leases = "/apis/coordination.k8s.io/v1/leases";
  const jobs = "/apis/batch/v1/jobs";
  const lease = { name: "tessera-validation-prod", namespace: "default" };

  it("belong to the leader's Lease where that is wanted", async () => {
    const { api, cluster } = await setUp(undefined, { ownedByLease: true });
    api.put(leases, { metadata: lease });
    await cluster.submit(request);
    const [owner] = api.table.collection(leases).values();
    const [job] = api.table.collection(jobs).values();
    expect(job?.metadata).toMatchObject({
      ownerReferences: [
        {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          name: lease.name,
          uid: owner?.metadata.uid,
        },
      ],
    });
  });

  it("are not made where that Lease is gone, and belong to nobody where nothing is said", async () => {
    const { api, cluster } = await setUp(undefined, { ownedByLease: true });
    await expect(cluster.submit(request)).rejects.toThrow(/has nothing at GET .*leases/);
    expect(api.table.collection(jobs).size).toBe(0);
    const free = await setUp(undefined);
    await free.cluster.submit(request);
    const [job] = free.api.table.collection(jobs).values();
    expect(job?.metadata).not.toHaveProperty("ownerReferences");
  });
});
