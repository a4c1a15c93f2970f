import { describe, expect, it } from "vitest";
import { formatError, toTesseraError } from "../../../src/platform/errors/index.ts";
import {
  applyObject,
  type KubeObject,
  resourceTypes,
  reviewAccess,
  rightName,
  updateWithRetry,
} from "../../../src/platform/kube/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { failure } from "./support/fake-api.ts";
import { fakeCluster, random } from "./support/fake-cluster.ts";

const { configMaps, nodes, pods, jobs } = resourceTypes;
const path = "/api/v1/configmaps";
const clock = createRealClock();

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

describe("server-side apply", () => {
  const object = { metadata: { name: "a" }, data: { key: "v" } };

  it("sends the whole object in the manager's name", async () => {
    const { api, client } = await fakeCluster();
    api.intercept = (_, response) => {
      response.end("{}");
      return true;
    };
    await applyObject(client, configMaps, object, { fieldManager: "tessera-test", force: true });
    const [request] = api.seen;
    expect(request?.method).toBe("PATCH");
    expect(request?.url.href).toContain(
      "/namespaces/default/configmaps/a?fieldManager=tessera-test&force=true",
    );
    expect(JSON.parse(request?.body ?? "")).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      ...object,
    });
  });

  it("names the managers of the fields in its way, and what to do", async () => {
    const { api, client } = await fakeCluster();
    const causes = [
      {
        reason: "FieldManagerConflict",
        message: 'conflict with "kubectl" using v1',
        field: ".data.key",
      },
      {
        reason: "FieldManagerConflict",
        message: 'conflict with "argo" using v1',
        field: ".data.b",
      },
    ];
    api.failNext("any", { status: 409, body: failure(409, "Conflict", { details: { causes } }) });
    const error = await applyObject(client, configMaps, object).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "E_KUBE_CONFLICT",
      details: {
        conflicts: [
          { manager: "kubectl", field: ".data.key" },
          { manager: "argo", field: ".data.b" },
        ],
      },
    });
    expect(formatError(toTesseraError(error))).toBe(
      "E_KUBE_CONFLICT: Somebody else's change is in the way of apply /api/v1/namespaces/default/configmaps/a as tessera: " +
        "kubectl manages .data.key, argo manages .data.b. " +
        "Leave those fields to their manager, or force the change to take them over.",
    );
  });

  it("leaves other errors as they are", async () => {
    const { api, client } = await fakeCluster();
    api.failNext("any", { status: 422 });
    await expect(applyObject(client, configMaps, object)).rejects.toMatchObject({
      code: "E_KUBE_REJECTED",
    });
  });
});

describe("an optimistic update", () => {
  const ref = { name: "a" };

  async function cluster(rivals: number) {
    const { api, client } = await fakeCluster();
    const metadata = { name: "a", namespace: "default" };
    api.put(path, { metadata, data: { count: "0" } });
    let left = rivals;
    api.intercept = ({ method }) => {
      // Somebody else is faster, a number of times.
      if (method === "PUT" && left-- > 0) api.put(path, { metadata, data: { count: "100" } });
      return false;
    };
    return { api, client };
  }

  const increment = (current: ConfigMap): ConfigMap => ({
    ...current,
    data: { count: String(Number(current.data?.["count"]) + 1) },
  });

  it("begins again with the newer object when somebody was faster", async () => {
    const { client } = await cluster(2);
    const result = await updateWithRetry<ConfigMap>(client, configMaps, ref, increment, {
      clock,
      random,
    });
    expect(result.data).toEqual({ count: "101" });
  });

  it("gives up after a number of times", async () => {
    const { api, client } = await cluster(99);
    const options = { clock, random, attemptsMax: 3 };
    await expect(
      updateWithRetry<ConfigMap>(client, configMaps, ref, increment, options),
    ).rejects.toMatchObject({ code: "E_KUBE_CONFLICT" });
    expect(api.seen.filter(({ method }) => method === "PUT")).toHaveLength(3);
  });

  it("writes nothing when there is nothing to change", async () => {
    const { api, client } = await cluster(0);
    const result = await updateWithRetry<ConfigMap>(client, configMaps, ref, () => undefined, {
      clock,
      random,
    });
    expect(result.data).toEqual({ count: "0" });
    expect(api.seen.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("does not repeat what failed for another reason", async () => {
    const { api, client } = await cluster(0);
    api.intercept = ({ method }, response) => {
      if (method === "PUT") response.writeHead(422).end();
      return method === "PUT";
    };
    await expect(
      updateWithRetry<ConfigMap>(client, configMaps, ref, increment, { clock, random }),
    ).rejects.toMatchObject({ code: "E_KUBE_REJECTED" });
    expect(api.seen).toHaveLength(2);
  });
});

describe("the review of rights", () => {
  it("asks the server about each and keeps their order", async () => {
    const { api, client } = await fakeCluster();
    api.intercept = ({ body }, response) => {
      const { spec } = JSON.parse(body) as { spec: { resourceAttributes: { verb: string } } };
      const allowed = spec.resourceAttributes.verb === "list";
      response
        .writeHead(201)
        .end(JSON.stringify({ spec, status: { allowed, reason: allowed ? "" : "RBAC" } }));
      return true;
    };
    const rights = [
      { verb: "list", type: nodes },
      { verb: "create", type: jobs, namespace: "n" },
      { verb: "get", type: pods, subresource: "log", namespace: "n" },
    ];
    const found = await reviewAccess(client, rights);
    expect(found.map(({ allowed, reason }) => ({ allowed, reason }))).toEqual([
      { allowed: true, reason: undefined },
      { allowed: false, reason: "RBAC" },
      { allowed: false, reason: "RBAC" },
    ]);
    expect(found.map(rightName)).toEqual([
      "list nodes",
      "create jobs.batch in n",
      "get pods/log in n",
    ]);
    const asked = api.seen.map(({ body }) => JSON.parse(body).spec.resourceAttributes);
    expect(asked).toContainEqual({
      verb: "create",
      group: "batch",
      resource: "jobs",
      namespace: "n",
    });
  });

  it("fails as a whole when the server does not answer one", async () => {
    const { api, client } = await fakeCluster();
    api.failNext("any", { status: 500 });
    await expect(reviewAccess(client, [{ verb: "list", type: nodes }])).rejects.toMatchObject({
      code: "E_KUBE_FAILED",
    });
  });
});
