import { describe, expect, it } from "vitest";
import type { WorkloadRef, WorkloadUndo } from "../../../../src/hardware/objects/index.ts";
import { takeBack } from "../../../../src/hardware/undo/index.ts";
import {
  applyFields,
  passthroughFields,
  readWorkload,
  releaseFields,
  undoAfterRelease,
  workloadType,
} from "../../../../src/hardware/workload/index.ts";
import { valueAt } from "../../../../src/hardware/workload/json-pointer.ts";
import type { KubeClient, KubeObject } from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { clock, connect, newNamespace } from "../kube/support/connect.ts";

const options = { faultName: "passthrough-1", preferNode: "node-1" };

async function made(kind: "deployment" | "statefulset") {
  const client = await connect(sharedCluster().kubeconfigPath);
  const namespace = await newNamespace(client);
  const ref: WorkloadRef = { namespace, name: "vllm", kind };
  const labels = { app: "vllm" };
  const container = {
    name: "worker",
    image: "tessera:test",
    env: [{ name: "LD_PRELOAD", value: "/lib/own.so" }],
    resources: { limits: { "nvidia.com/gpu": "1" } },
  };
  const object = {
    metadata: { name: "vllm", namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  await client.create(workloadType(ref), object);
  return { client, ref };
}

async function undoneBy(client: KubeClient, undo: WorkloadUndo): Promise<KubeObject> {
  const { left } = await takeBack(undo, { client, clock, leaseUntilMs: 0 });
  expect(left).toEqual([]);
  return readWorkload(client, undo.workload);
}

describeCluster("the shim in workloads of a real API server", () => {
  describe.each(["deployment", "statefulset"] as const)("a %s", (kind) => {
    it("takes the fields as they are, and is afterwards what it was", async () => {
      const { client, ref } = await made(kind);
      const before = await readWorkload(client, ref);
      const fields = passthroughFields(before, ref, options);
      const rehearsed = await applyFields(client, ref, fields, { dryRun: true });
      expect(valueAt(rehearsed, "/spec/template/spec/volumes")).toHaveLength(1);
      expect(valueAt(await readWorkload(client, ref), "/spec")).toEqual(valueAt(before, "/spec"));
      const changed = await applyFields(client, ref, fields);
      // Nothing that the server adds by itself makes our values look like another's.
      expect(passthroughFields(await readWorkload(client, ref), ref, options)).toEqual([]);
      for (const { pointer, applied } of fields) expect(valueAt(changed, pointer)).toEqual(applied);
      const undo = {
        kind: "workload",
        workload: ref,
        uid: before.metadata.uid ?? "",
        fields,
      } as const;
      const restored = await undoneBy(client, undo);
      expect(valueAt(restored, "/spec")).toEqual(valueAt(before, "/spec"));
    });

    it("can be cleaned early, and goes on as it was when the fault ends", async () => {
      const { client, ref } = await made(kind);
      const before = await readWorkload(client, ref);
      const fields = passthroughFields(before, ref, options);
      await applyFields(client, ref, fields);
      const uid = before.metadata.uid ?? "";
      const undo = { kind: "workload", workload: ref, uid, fields } as const;
      const released = releaseFields(await readWorkload(client, ref), undo);
      const after = undoAfterRelease(undo, released);
      const clean = await applyFields(client, ref, released, { uid });
      expect(valueAt(clean, "/spec/template/spec")).toEqual(valueAt(before, "/spec/template/spec"));
      const held = kind === "deployment" ? "/spec/paused" : "/spec/updateStrategy/type";
      expect(valueAt(clean, held)).toEqual(kind === "deployment" ? true : "OnDelete");
      const restored = await undoneBy(client, after);
      expect(valueAt(restored, "/spec")).toEqual(valueAt(before, "/spec"));
    });
  });

  it("goes in although somebody else writes to the object all the time", async () => {
    const { client, ref } = await made("deployment");
    const fields = passthroughFields(await readWorkload(client, ref), ref, options);
    // Of the writes that the other one was faster than; the controller of Deployments writes too.
    const seen = { conflicts: 0 };
    const type = workloadType(ref);
    let others = 3;
    const busy: Pick<KubeClient, "get" | "patch"> = {
      get: client.get.bind(client),
      patch: async (...args: Parameters<KubeClient["patch"]>) => {
        if (others-- <= 0) return client.patch(...args);
        const merge = { metadata: { annotations: { other: String(others) } } };
        await client.patch(type, ref, { merge });
        return client.patch(...args).catch((error: unknown) => {
          seen.conflicts++;
          throw error;
        });
      },
    } as never;
    await applyFields(busy, ref, fields);
    expect(seen.conflicts).toBe(3);
    const now = await readWorkload(client, ref);
    expect(now.metadata.annotations).toMatchObject({ other: "0" });
    expect(valueAt(now, "/spec/template/spec/volumes")).toHaveLength(1);
  });

  it("is refused by the server's own check before anything is changed", async () => {
    const { client, ref } = await made("deployment");
    const bad = [{ pointer: "/spec/replicas", before: 1, applied: -1 }];
    await expect(applyFields(client, ref, bad, { dryRun: true })).rejects.toMatchObject({
      code: "E_KUBE_REJECTED",
    });
  });
});
