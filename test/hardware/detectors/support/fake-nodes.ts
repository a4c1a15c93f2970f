import type { NodeObject, PodObject } from "../../../../src/hardware/objects/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import type { Clock } from "../../../../src/platform/time/index.ts";
import { fakeCluster } from "../../../platform/kube/support/fake-cluster.ts";
import type { FakeObject } from "../../../platform/kube/support/object-table.ts";

export const nodesPath = "/api/v1/nodes";
export const podsPath = "/api/v1/pods";
export const gpuLabel = { "nvidia.com/gpu.present": "true" };

export const random = createRng("detector tests").stream("simulator");

/** A fake API server that also knows the status of nodes and evictions. */
export async function fakeNodes(options: { readonly clock?: Clock } = {}) {
  const { api, client, clock } = await fakeCluster(options);
  const blocked = new Set<string>();
  api.intercept = ({ method, url, body }, response) => {
    const status = /^\/api\/v1\/nodes\/([^/]+)\/status$/.exec(url.pathname);
    const eviction = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/eviction$/.exec(url.pathname);
    const send = (code: number, value: unknown) => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value));
      return true;
    };
    if (status !== null) {
      const known = api.table.collection(nodesPath).get(status[1] ?? "");
      if (known === undefined) return send(404, { kind: "Status", reason: "NotFound", code: 404 });
      if (method === "GET") return send(200, known);
      const given = JSON.parse(body) as FakeObject;
      api.put(nodesPath, { ...known, status: given["status"] });
      return send(200, api.table.collection(nodesPath).get(status[1] ?? ""));
    }
    if (eviction !== null && method === "POST") {
      const key = `${eviction[1]}/${eviction[2]}`;
      if (blocked.has(key))
        return send(429, { kind: "Status", reason: "TooManyRequests", code: 429 });
      api.remove(podsPath, key);
      return send(201, { kind: "Status", status: "Success" });
    }
    return false;
  };
  const node = (name: string) => api.table.collection(nodesPath).get(name) as unknown as NodeObject;
  const pods = () => [...api.table.collection(podsPath).keys()].toSorted();
  return { api, client, clock, node, pods, blocked };
}

/** A GPU node, ready, and whatever else is said. */
export function gpuNode(name: string, more: Partial<NodeObject> = {}): FakeObject {
  return {
    ...more,
    metadata: { labels: gpuLabel, ...more.metadata, name },
    status: { conditions: [{ type: "Ready", status: "True" }], ...more.status },
  };
}

/** A running pod. */
export function runningPod(
  node: string,
  name: string,
  more: {
    readonly namespace?: string;
    readonly gpus?: number;
    readonly owner?: { readonly kind: string; readonly name: string };
    readonly labels?: Readonly<Record<string, string>>;
    readonly status?: object;
  } = {},
): PodObject & FakeObject {
  const { namespace = "team", gpus = 0, owner, labels, status } = more;
  const limits = gpus === 0 ? {} : { limits: { "nvidia.com/gpu": String(gpus) } };
  return {
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ ...owner, apiVersion: "apps/v1", uid: "u", controller: true }] }),
    },
    spec: { nodeName: node, containers: [{ name: "main", resources: limits }] },
    status: { phase: "Running", ...status },
  };
}
