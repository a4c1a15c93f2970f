import { expect, it, onTestFinished } from "vitest";
import { createFaultBook } from "../../../../src/hardware/faults/index.ts";
import {
  type HardwareFaultSpec,
  hardwareFaultCrd,
  hardwareFaults,
} from "../../../../src/hardware/objects/index.ts";
import { createReaper } from "../../../../src/hardware/reaper/index.ts";
import { nodeUndoFor } from "../../../../src/hardware/undo/index.ts";
import {
  applyFields,
  passthroughFields,
  readWorkload,
} from "../../../../src/hardware/workload/index.ts";
import { applyObject, type KubeClient } from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, connect, newNamespace } from "../kube/support/connect.ts";

const crds = {
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
} as const;
const deployments = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
} as const;

async function setUp(): Promise<{ client: KubeClient; namespace: string }> {
  const client = await connect(sharedCluster().kubeconfigPath);
  await applyObject(client, crds, hardwareFaultCrd, { force: true });
  const namespace = await newNamespace(client);
  const isServed = () =>
    client.listPage(hardwareFaults, { namespace, limit: 1 }).then(
      () => true,
      () => false,
    );
  await waitUntil("the API server knows faults", isServed);
  onTestFinished(() => letGo(client, namespace));
  return { client, namespace };
}

/** Nobody takes these faults back any more, and a namespace waits for what is in it. */
async function letGo(client: KubeClient, namespace: string): Promise<void> {
  const { items } = await client.listPage(hardwareFaults, { namespace });
  for (const { metadata } of items) {
    const ref = { namespace, name: metadata.name ?? "" };
    await client.patch(hardwareFaults, ref, { merge: { metadata: { finalizers: null } } });
  }
}

function specIn(namespace: string): HardwareFaultSpec {
  return {
    run: "r1",
    requestedBy: "alice",
    namespace,
    action: {
      kind: "xid",
      node: "no-such-node",
      gpu: { index: 0 },
      lines: [{ xid: 79 }],
      correlationId: "0123456789ab",
    },
    expiresAt: new Date(clock.nowMs() + 60_000).toISOString(),
    leaseSeconds: 30,
  };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function reaperFor(client: KubeClient, namespace: string) {
  const by = "fault-api";
  const book = createFaultBook({ client, namespace, clock, by });
  return {
    book,
    reaper: createReaper({
      book,
      client,
      clock,
      by,
      owns: () => true,
      log: silent,
      collects: true,
    }),
  };
}

describeCluster("faults on a real API server", () => {
  it("are refused when they are incomplete, too large or changed", async () => {
    const { client, namespace } = await setUp();
    const spec = specIn(namespace);
    const make = (name: string, given: object) =>
      client.create(hardwareFaults, { metadata: { name, namespace }, ...{ spec: given } });
    const { expiresAt: _, ...endless } = spec;
    await expect(make("endless", endless)).rejects.toThrow(/expiresAt/);
    await expect(make("kind", { ...spec, action: { kind: "cuda", node: "n" } })).rejects.toThrow(
      /a fault of kind cuda needs node, scope, fault/,
    );
    await expect(make("long", { ...spec, run: "x".repeat(300) })).rejects.toThrow(/run/);
    await make("good", spec);
    const change = client.patch(
      hardwareFaults,
      { name: "good", namespace },
      { merge: { spec: { leaseSeconds: 60 } } },
    );
    await expect(change).rejects.toThrow(/a fault never changes/);
  });

  it("keep what was written down, exactly", async () => {
    const { client, namespace } = await setUp();
    const { book } = reaperFor(client, namespace);
    await book.create("f1", specIn(namespace));
    const node = nodeUndoFor({ metadata: { name: "no-such-node" } }, []);
    const workload = {
      kind: "workload",
      workload: { namespace, name: "x", kind: "deployment" },
      uid: "u",
      fields: [
        {
          pointer: "/a",
          before: [{ name: "A", nested: { n: 1, list: [1, "x", { y: null }] } }],
          applied: 3,
        },
        { pointer: "/b", applied: "text" },
      ],
    } as const;
    await book.arm("f1", [node, workload]);
    expect((await book.get("f1")).status?.undo).toEqual([node, workload]);
  });

  it("are deleted only after they were taken back", async () => {
    const { client, namespace } = await setUp();
    const { book, reaper } = reaperFor(client, namespace);
    await book.create("f1", specIn(namespace));
    await book.arm("f1", [nodeUndoFor({ metadata: { name: "no-such-node" } }, [])]);
    await client.delete(hardwareFaults, { name: "f1", namespace });
    expect((await book.get("f1")).metadata.deletionTimestamp).toBeDefined();
    expect((await reaper.sweep()).reverted).toEqual(["f1"]);
    expect((await book.get("f1")).status?.message).toContain("is gone");
    await reaper.sweep();
    await expect(book.get("f1")).rejects.toMatchObject({ code: "E_HW_FAULT_UNKNOWN" });
  });

  it("leave a workload as it was, with what others changed meanwhile", async () => {
    const { client, namespace } = await setUp();
    const { book, reaper } = reaperFor(client, namespace);
    const labels = { app: "server" };
    const container = {
      name: "main",
      image: "tessera:test",
      env: [{ name: "LD_PRELOAD", value: "mine.so" }],
      resources: { limits: { "nvidia.com/gpu": "1" } },
    };
    await client.create(deployments, {
      metadata: { name: "server", namespace },
      ...{
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
    });
    const ref = { namespace, name: "server", kind: "deployment" } as const;
    const object = await readWorkload(client, ref);
    const fields = passthroughFields(object, ref, { faultName: "f1", preferNode: "n1" });
    await book.create("f1", specIn(namespace));
    await book.arm("f1", [
      { kind: "workload", workload: ref, uid: object.metadata.uid ?? "", fields },
    ]);
    await applyFields(client, ref, fields);
    const theirs = {
      spec: {
        template: {
          spec: { containers: [{ name: "main", env: [{ name: "THEIRS", value: "1" }] }] },
        },
      },
    };
    await client.patch(deployments, ref, { strategic: theirs });
    const over = await reaper.revert("f1", "requested");
    expect(over.status).toMatchObject({ state: "reverted" });
    expect(over.status?.message).toBeUndefined();
    const specOf = async () =>
      (
        (await readWorkload(client, ref)) as unknown as {
          spec: {
            strategy: object;
            template: { metadata: object; spec: { containers: { env: object[] }[] } };
          };
        }
      ).spec;
    const spec = await specOf();
    const was = (object as unknown as { spec: typeof spec }).spec;
    const env = spec.template.spec.containers[0]?.env ?? [];
    expect(env).toHaveLength(2);
    expect(env).toEqual(
      expect.arrayContaining([
        { name: "LD_PRELOAD", value: "mine.so" },
        { name: "THEIRS", value: "1" },
      ]),
    );
    expect(spec.strategy).toEqual(was.strategy);
    const plain = (one: typeof spec) => ({
      ...one.template.spec,
      containers: one.template.spec.containers.map((each) => ({ ...each, env: [] })),
    });
    expect(plain(spec)).toEqual(plain(was));
  });
});
