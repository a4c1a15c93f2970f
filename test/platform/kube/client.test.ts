import { getEventListeners } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { kubeFailureOf, resourceTypes } from "../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { version } from "../../../src/version.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { failure } from "./support/fake-api.ts";
import { fakeCluster } from "./support/fake-cluster.ts";

const { nodes, pods, configMaps } = resourceTypes;
const configMap = { metadata: { name: "a", namespace: "default" }, data: { key: "value" } };

describe("the verbs", () => {
  it("create, get, replace, list and delete objects", async () => {
    const { client, api } = await fakeCluster();
    const made = await client.create(configMaps, configMap);
    expect(made.metadata.uid).toBe("uid-1");
    expect(await client.get(configMaps, { name: "a" })).toMatchObject(configMap);
    const changed = { ...configMap, metadata: made.metadata, data: { key: "other" } };
    await client.update(configMaps, changed);
    const { items } = await client.listPage(configMaps);
    expect(items).toMatchObject([{ data: { key: "other" } }]);
    await client.delete(configMaps, { name: "a" });
    await expect(client.get(configMaps, { name: "a" })).rejects.toMatchObject({
      code: "E_KUBE_NOT_FOUND",
    });
    expect(api.seen.map(({ method }) => method)).toEqual([
      "POST",
      "GET",
      "PUT",
      "GET",
      "DELETE",
      "GET",
    ]);
  });

  it("say who is asking, and what for", async () => {
    const { client, api } = await fakeCluster({
      config: {
        headers: { "Impersonate-User": "alice", "Impersonate-Group": ["a", "b"] },
        credentials: {
          kind: "token",
          get: () => Promise.resolve({ authorization: "Bearer t" }),
          refresh: () => false,
        },
      },
    });
    await client.create(configMaps, configMap, { dryRun: true, fieldManager: "me" });
    const [request] = api.seen;
    expect(request?.headers).toMatchObject({
      "user-agent": expect.stringContaining(`tessera/${version}`),
      "content-type": "application/json",
      "impersonate-user": "alice",
      "impersonate-group": "a, b",
      authorization: "Bearer t",
    });
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      dryRun: "All",
      fieldManager: "me",
    });
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  });

  it("ask for a dry run wherever something would change", async () => {
    const { client, api } = await fakeCluster();
    api.intercept = (_, response) => {
      response.end("{}");
      return true;
    };
    const dryRun = { dryRun: true };
    const ref = { name: "a" };
    await client.create(configMaps, configMap, dryRun);
    await client.update(configMaps, configMap, dryRun);
    await client.patch(configMaps, ref, { merge: {} }, dryRun);
    await client.delete(configMaps, ref, dryRun);
    await client.deleteCollection(configMaps, { labelSelector: "a=b" }, dryRun);
    await client.evict(ref, dryRun);
    for (const { url, body, method } of api.seen) {
      const asked = url.searchParams.get("dryRun") === "All" || body.includes('"dryRun":["All"]');
      expect(asked, method).toBe(true);
    }
    expect(api.seen).toHaveLength(6);
  });

  it.each([
    [{ merge: { a: 1 } }, "application/merge-patch+json"],
    [{ strategic: { a: 1 } }, "application/strategic-merge-patch+json"],
    [{ json: [{ op: "remove", path: "/a" }] }, "application/json-patch+json"],
    [{ apply: { a: 1 }, force: true }, "application/apply-patch+yaml"],
  ] as const)("send the patch %j as %s", async (patch, contentType) => {
    const { client, api } = await fakeCluster();
    api.intercept = (_, response) => {
      response.end("{}");
      return true;
    };
    await client.patch(nodes, { name: "n" }, patch, { subresource: "status" });
    expect(api.seen[0]?.headers["content-type"]).toBe(contentType);
    expect(api.seen[0]?.url.pathname).toBe("/api/v1/nodes/n/status");
    expect(api.seen[0]?.url.searchParams.get("force")).toBe("apply" in patch ? "true" : null);
  });

  it("guard a deletion by uid and version, and say what happens to dependents", async () => {
    const { client, api } = await fakeCluster();
    api.put("/api/v1/pods", { metadata: { name: "p", namespace: "default" } });
    await client.delete(
      pods,
      { name: "p" },
      { uid: "u", propagation: "Foreground", gracePeriodSeconds: 0 },
    );
    expect(JSON.parse(api.seen[0]?.body ?? "")).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
      preconditions: { uid: "u" },
    });
  });

  it("read logs and other texts", async () => {
    const { client, api } = await fakeCluster();
    api.intercept = (_, response) => {
      response.end("line\n");
      return true;
    };
    expect(await client.logs({ name: "p" }, { container: "c", tailLines: 5 })).toBe("line\n");
    expect(api.seen[0]?.url.href).toContain(
      "/namespaces/default/pods/p/log?container=c&tailLines=5",
    );
    expect(await client.getText("/readyz?verbose")).toBe("line\n");
  });

  it("put the path of the server's address before every path", async () => {
    const { client, api } = await fakeCluster();
    const server = new URL(`http://127.0.0.1:${api.port}/k8s/clusters/c-1/`);
    const { client: behind } = await fakeCluster({ config: { server } });
    await behind.getJson("/version").catch(() => undefined);
    expect(api.seen[0]?.url.pathname).toBe("/k8s/clusters/c-1/version");
    expect(client.config.server.pathname).toBe("/");
  });
});

describe("errors of the server", () => {
  it.each([
    [401, "E_KUBE_UNAUTHORIZED"],
    [403, "E_KUBE_FORBIDDEN"],
    [404, "E_KUBE_NOT_FOUND"],
    [409, "E_KUBE_CONFLICT"],
    [400, "E_KUBE_REJECTED"],
    [422, "E_KUBE_REJECTED"],
    [410, "E_KUBE_FAILED"],
    [429, "E_KUBE_FAILED"],
    [500, "E_KUBE_FAILED"],
    [302, "E_KUBE_FAILED"],
  ])("%d is %s", async (status, code) => {
    const { client, api } = await fakeCluster();
    api.failNext("any", { status, body: failure(status, "Because") });
    const error = await client
      .get(nodes, { name: "n" }, { retryForMs: 0 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(kubeFailureOf(error)).toMatchObject({ status, reason: "Because" });
  });

  it("carry the server's words, but no more than a paragraph of them", async () => {
    const { client, api } = await fakeCluster();
    const message = `nodes is forbidden\n${"x".repeat(5_000)}`;
    api.failNext("any", { status: 403, body: failure(403, "Forbidden", { message }) });
    const error = (await client
      .get(nodes, { name: "n" })
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain("GET /api/v1/nodes/n: nodes is forbidden");
    expect(error.message.length).toBeLessThan(700);
    expect(error.message).not.toContain("\n");
  });

  it("are not mixed up with an answer that comes from no API", async () => {
    const { client, api } = await fakeCluster();
    api.failNext("any", "garbage");
    const error = (await client.getJson("/version").catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: "E_KUBE_FAILED" });
    expect(error.message).toContain("is this a Kubernetes API?");
    expect(error.message).not.toContain("html");
  });
});

describe("limits", () => {
  it("end a request that is not answered in time", async () => {
    const clock = new VirtualClock();
    const { client, api } = await fakeCluster({ clock });
    api.failNext("any", "stall");
    const asked = client.get(nodes, { name: "n" }, { timeoutMs: 5_000, retryForMs: 0 });
    const outcome = expect(asked).rejects.toMatchObject({
      code: "E_KUBE_UNREACHABLE",
      message: expect.stringContaining("GET /api/v1/nodes/n did not finish within 5 s"),
    });
    await waitUntil("the request arrived", () => api.seen.length === 1);
    await clock.advance(5_000);
    await outcome;
    expect(clock.timersPending).toBe(0);
  });

  it("end an answer that is too long, packed or not", async () => {
    for (const packed of [false, true]) {
      const { client, api } = await fakeCluster({ client: { responseBytesMax: 1_000 } });
      const body = JSON.stringify({ items: "x".repeat(10_000) });
      api.intercept = (_, response) => {
        if (packed) response.setHeader("content-encoding", "gzip");
        response.end(packed ? gzipSync(body) : body);
        return true;
      };
      await expect(client.getJson("/x")).rejects.toMatchObject({
        code: "E_KUBE_FAILED",
        message: expect.stringContaining("more than 1000 bytes"),
      });
    }
  });

  it("let a limited number of requests go out at once", async () => {
    const { client, api } = await fakeCluster({ client: { socketsMax: 2 } });
    const held: (() => void)[] = [];
    api.intercept = (_, response) => {
      held.push(() => response.end("{}"));
      return true;
    };
    const all = Promise.all([1, 2, 3, 4].map((at) => client.getJson(`/${at}`)));
    await waitUntil("two arrived", () => held.length === 2);
    for (let at = 0; at < 4; at++) {
      expect(held.length - at).toBeLessThanOrEqual(2);
      held[at]?.();
      if (at < 3) await waitUntil("the next arrived", () => held.length > at + 1);
    }
    await all;
  });

  it("let many requests share one signal without a warning, and leave nothing on it", async () => {
    const { client } = await fakeCluster({ client: { socketsMax: 20 } });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => client.getJson("/version", { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("stop everything when the client is closed", async () => {
    const { client, api } = await fakeCluster();
    api.failNext("any", "stall");
    const asked = client.getJson("/x");
    const outcome = expect(asked).rejects.toThrow("was closed");
    await waitUntil("the request arrived", () => api.seen.length === 1);
    client.close();
    await outcome;
    await expect(client.getJson("/y")).rejects.toThrow("was closed");
  });

  it("stop a call whose signal aborts, with the signal's reason", async () => {
    const { client, api } = await fakeCluster();
    api.failNext("any", "stall");
    const controller = new AbortController();
    const asked = client.getJson("/x", { signal: controller.signal });
    const outcome = expect(asked).rejects.toThrow("enough");
    await waitUntil("the request arrived", () => api.seen.length === 1);
    controller.abort(new Error("enough"));
    await outcome;
  });
});

describe("unpacking", () => {
  it("reads answers that were compressed on the way, and asks for them only when allowed", async () => {
    for (const compression of [true, false]) {
      const { client, api } = await fakeCluster({ config: { compression } });
      api.intercept = ({ headers }, response) => {
        const packed = headers["accept-encoding"] === "gzip";
        if (packed) response.setHeader("content-encoding", "gzip");
        response.end(packed ? gzipSync('{"a":"ü"}') : '{"a":"ü"}');
        return true;
      };
      expect(await client.getJson("/x")).toEqual({ a: "ü" });
      expect(api.seen[0]?.headers["accept-encoding"]).toBe(compression ? "gzip" : undefined);
    }
  });
});
