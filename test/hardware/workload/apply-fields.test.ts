import { describe, expect, it } from "vitest";
import {
  applyFields,
  passthroughFields,
  podSelector,
  podsOf,
  readWorkload,
} from "../../../src/hardware/workload/index.ts";
import { valueAt } from "../../../src/hardware/workload/json-pointer.ts";
import { collections, type StoredObject, startFakeKube } from "../../support/fake-kube/index.ts";
import {
  custom,
  deployment,
  deploymentObject,
  leaderWorkerSet,
  pod,
  statefulSet,
  worker,
} from "./support/objects.ts";

const options = { faultName: "passthrough-1" };
const key = "serving/vllm";
const env = "/spec/template/spec/containers/0/env";

async function cluster() {
  const { kube, client } = await startFakeKube();
  kube.put(collections.deployments, deploymentObject([worker()]) as unknown as StoredObject);
  const fields = passthroughFields(await readWorkload(client, deployment), deployment, options);
  const stored = () => kube.get(collections.deployments, key);
  return { kube, client, fields, stored };
}

describe("applying fields to a workload", () => {
  it("makes them so in one write, parents included, and does nothing the second time", async () => {
    const { kube, client, fields, stored } = await cluster();
    const result = await applyFields(client, deployment, fields);
    for (const { pointer, applied } of fields) expect(valueAt(stored(), pointer)).toEqual(applied);
    expect(valueAt(result, env)).toEqual(valueAt(stored(), env));
    await applyFields(client, deployment, fields);
    expect(kube.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  it("changes nothing when it only rehearses", async () => {
    const { client, fields, stored } = await cluster();
    await applyFields(client, deployment, fields, { dryRun: true });
    expect(valueAt(stored(), env)).toBeUndefined();
  });

  it("reads again when somebody else wrote to another field in between", async () => {
    const { kube, client, fields, stored } = await cluster();
    let times = 3;
    kube.interfere = ({ method }) => {
      if (method === "PATCH" && times-- > 0) {
        kube.edit(collections.deployments, key, (object) => {
          object["status"] = { observedGeneration: times };
        });
      }
      return undefined;
    };
    await applyFields(client, deployment, fields);
    expect(valueAt(stored(), env)).toHaveLength(2);
    expect(valueAt(stored(), "/status/observedGeneration")).toBe(0);
  });

  it("gives up when somebody else changed the very field, and leaves it", async () => {
    const { kube, client, fields, stored } = await cluster();
    kube.edit(collections.deployments, key, (object) => {
      const template = valueAt(object, "/spec/template/spec/containers/0") as { env?: unknown };
      template.env = [{ name: "THEIRS", value: "1" }];
    });
    await expect(applyFields(client, deployment, fields)).rejects.toMatchObject({
      code: "E_HW_WORKLOAD",
      message: expect.stringContaining(env),
    });
    expect(valueAt(stored(), env)).toEqual([{ name: "THEIRS", value: "1" }]);
  });

  it("does not touch another object of the same name, and says when there is none", async () => {
    const { client, fields, kube } = await cluster();
    await expect(applyFields(client, deployment, fields, { uid: "other" })).rejects.toThrow(
      /made anew/,
    );
    kube.remove(collections.deployments, key);
    await expect(applyFields(client, deployment, fields)).rejects.toMatchObject({
      code: "E_HW_WORKLOAD",
    });
  });

  it("passes an unreachable API on as what it is", async () => {
    const { client, fields, kube } = await cluster();
    kube.interfere = () => ({ status: 403 });
    await expect(applyFields(client, deployment, fields)).rejects.toMatchObject({
      code: "E_KUBE_FORBIDDEN",
    });
  });
});

describe("the pods of a workload", () => {
  it("are those of its selector, without those of other controllers, by name", async () => {
    const { kube, client } = await cluster();
    const owned = (name: string, kind: string) => {
      const one = pod(name);
      const owner = { apiVersion: "apps/v1", kind, name: "x", uid: "u", controller: true };
      return { ...one, metadata: { ...one.metadata, name, ownerReferences: [owner] } };
    };
    for (const one of [owned("b", "ReplicaSet"), owned("a", "ReplicaSet"), owned("c", "Job")]) {
      kube.put(collections.pods, one as unknown as StoredObject);
    }
    const pods = await podsOf(client, deployment);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  });

  it("are found by every form of selector, and never without one", () => {
    const selector = {
      matchLabels: { app: "vllm" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["a", "b"] },
        { key: "old", operator: "DoesNotExist" },
      ],
    };
    const object = deploymentObject([worker()], { spec: { selector } });
    expect(podSelector(object, deployment)).toBe("app=vllm,tier in (a,b),!old");
    expect(podSelector(object, leaderWorkerSet)).toBe("leaderworkerset.sigs.k8s.io/name=vllm");
    expect(podSelector(object, custom)).toBe("app=graph");
    const none = deploymentObject([worker()], { spec: { selector: {} } });
    expect(() => podSelector(none, statefulSet)).toThrow(/which pods are its own/);
  });
});
