import { expect, it } from "vitest";
import {
  applyObject,
  isNotFound,
  listAll,
  resourceTypes,
  updateWithRetry,
} from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  type ConfigMap,
  clock,
  connect,
  newNamespace,
  random,
  writeMany,
} from "./support/connect.ts";

const { configMaps } = resourceTypes;

async function setUp() {
  const { kubeconfigPath } = sharedCluster();
  const client = await connect(kubeconfigPath);
  return { kubeconfigPath, client, namespace: await newNamespace(client) };
}

describeCluster("the client on a real API server", () => {
  it("lists in pages what was written, and deletes it as a collection", async () => {
    const { client, namespace } = await setUp();
    await writeMany(client, namespace, "many", 23);
    const { items } = await listAll<string | undefined>(client, configMaps, {
      namespace,
      pageSize: 4,
      fieldSelector: "metadata.name!=kube-root-ca.crt",
      project: ({ metadata }) => metadata.name,
    });
    expect(items).toHaveLength(23);
    await client.deleteCollection(configMaps, { namespace });
    const left = await client.listPage(configMaps, {
      namespace,
      fieldSelector: "metadata.name!=kube-root-ca.crt",
    });
    expect(left.items).toEqual([]);
  });

  it("leaves nothing behind after a dry run", async () => {
    const { client, namespace } = await setUp();
    const object = { metadata: { name: "dry", namespace }, data: { a: "1" } };
    const dryRun = { dryRun: true };
    const answer = await client.create<ConfigMap>(configMaps, object, dryRun);
    expect(answer.metadata.uid).toBeTruthy();
    await applyObject(client, configMaps, object, dryRun);
    const missing = await client
      .get(configMaps, { name: "dry", namespace })
      .catch((error: unknown) => error);
    expect(isNotFound(missing)).toBe(true);
    const made = await client.create<ConfigMap>(configMaps, object);
    await client.update(configMaps, { ...made, ...{ data: { a: "2" } } }, dryRun);
    await client.patch(configMaps, object.metadata, { merge: { data: { a: "3" } } }, dryRun);
    await applyObject(
      client,
      configMaps,
      { ...object, ...{ data: { a: "4" } } },
      { ...dryRun, force: true },
    );
    await client.delete(configMaps, object.metadata, dryRun);
    await client.deleteCollection(configMaps, { namespace }, dryRun);
    const still = await client.get<ConfigMap>(configMaps, object.metadata);
    expect(still.data).toEqual({ a: "1" });
    expect(still.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it("applies, names the manager in its way, and takes the field over when forced", async () => {
    const { client, namespace } = await setUp();
    const object = (a: string) => ({ metadata: { name: "shared", namespace }, data: { a } });
    await applyObject(client, configMaps, object("theirs"), { fieldManager: "the-other-team" });
    const error = await applyObject(client, configMaps, object("ours")).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code: "E_KUBE_CONFLICT",
      message: expect.stringContaining("the-other-team manages .data.a"),
      details: { conflicts: [{ manager: "the-other-team", field: ".data.a" }] },
    });
    const forced = await applyObject<ConfigMap>(client, configMaps, object("ours"), {
      force: true,
    });
    expect(forced.data).toEqual({ a: "ours" });
    await applyObject(client, configMaps, object("ours"), { fieldManager: "the-other-team" });
  });

  it("loses no update when many change one object", async () => {
    const { client, namespace } = await setUp();
    const ref = { name: "counter", namespace };
    await client.create(configMaps, { metadata: ref, ...{ data: { count: "0" } } });
    const increment = () =>
      updateWithRetry<ConfigMap>(
        client,
        configMaps,
        ref,
        (current) => ({ ...current, data: { count: String(Number(current.data?.["count"]) + 1) } }),
        { clock, random, attemptsMax: 50 },
      );
    await Promise.all(Array.from({ length: 10 }, increment));
    const { data } = await client.get<ConfigMap>(configMaps, ref);
    expect(data).toEqual({ count: "10" });
  });

  it("speaks each language of patches", async () => {
    const { client, namespace } = await setUp();
    const ref = { name: "patched", namespace };
    await client.create(configMaps, { metadata: ref, ...{ data: { a: "1", b: "1" } } });
    await client.patch(configMaps, ref, { merge: { data: { a: null } } });
    await client.patch(configMaps, ref, { json: [{ op: "add", path: "/data/c", value: "3" }] });
    const last = await client.patch<ConfigMap>(configMaps, ref, {
      strategic: { data: { d: "4" } },
    });
    expect(last.data).toEqual({ b: "1", c: "3", d: "4" });
  });

  it("tells errors of the server apart", async () => {
    const { client, namespace } = await setUp();
    const object = { metadata: { name: "a", namespace } };
    await client.create(configMaps, object);
    await expect(client.create(configMaps, object)).rejects.toMatchObject({
      code: "E_KUBE_CONFLICT",
      details: { failure: { reason: "AlreadyExists" } },
    });
    await expect(
      client.create(configMaps, { metadata: { name: "Not A Name" } }),
    ).rejects.toMatchObject({
      code: "E_KUBE_REJECTED",
      message: expect.stringContaining("Not A Name"),
    });
    const stale = { ...object, metadata: { ...object.metadata, resourceVersion: "1" } };
    await expect(client.update(configMaps, stale)).rejects.toMatchObject({
      details: { failure: { reason: "Conflict" } },
    });
  });

  it("sees a namespace go", async () => {
    const { client } = await setUp();
    const name = `kube-test-gone-${process.pid}`;
    await client.create(resourceTypes.namespaces, { metadata: { name } });
    await client.delete(resourceTypes.namespaces, { name });
    const isGone = () =>
      client.get(resourceTypes.namespaces, { name }).then(
        () => false,
        (error: unknown) => isNotFound(error),
      );
    // Namespaces of the tests before it may be in the queue.
    await waitUntil("it is gone", isGone, { timeoutMs: 180_000 });
  });
});
