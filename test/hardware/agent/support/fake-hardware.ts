import type { ServerResponse } from "node:http";
import {
  type FaultAction,
  type HardwareFault,
  type HardwareFaultStatus,
  hardwareFaults,
  type NodeObject,
} from "../../../../src/hardware/objects/index.ts";
import type { Clock } from "../../../../src/platform/time/index.ts";
import { failure, type SeenRequest } from "../../../platform/kube/support/fake-api.ts";
import { fakeCluster } from "../../../platform/kube/support/fake-cluster.ts";
import type { FakeObject } from "../../../platform/kube/support/object-table.ts";

export const node = "gpu-1";
export const namespace = "tessera-hardware";
export const nodesPath = "/api/v1/nodes";
export const podsPath = "/api/v1/pods";
export const faultsPath = `/apis/${hardwareFaults.group}/${hardwareFaults.version}/${hardwareFaults.plural}`;

type Json = Record<string, unknown>;

/** A fake API server that also patches nodes, keeps the status of faults apart, and evicts pods. */
export async function fakeHardware(options: { readonly clock?: Clock } = {}) {
  const { api, client, clock } = await fakeCluster(options);
  /** `namespace/name` of pods that a budget protects. */
  const protectedPods = new Set<string>();
  const fail = { nodes: false };
  const known = (path: string, key: string) => api.table.collection(path).get(key);
  const patchNode = (seen: SeenRequest, response: ServerResponse) => {
    const [, name = "", sub] = /nodes\/([^/]+)(?:\/(status))?$/.exec(seen.url.pathname) ?? [];
    if (fail.nodes) return answer(response, 403, failure(403, "Forbidden"));
    const object = known(nodesPath, name);
    if (object === undefined) return answer(response, 404, failure(404, "NotFound"));
    const patch = JSON.parse(seen.body) as Json & { metadata?: { resourceVersion?: string } };
    const version = patch.metadata?.resourceVersion;
    if (version !== undefined && version !== object.metadata.resourceVersion)
      return answer(response, 409, failure(409, "Conflict"));
    const next = sub === "status" ? withConditions(object, patch) : merged(object, patch);
    api.put(nodesPath, next as FakeObject);
    return answer(response, 200, known(nodesPath, name));
  };
  const putStatus = (seen: SeenRequest, response: ServerResponse) => {
    const key = /namespaces\/([^/]+)\/hardwarefaults\/([^/]+)\/status$/.exec(seen.url.pathname);
    const object = known(faultsPath, `${key?.[1]}/${key?.[2]}`);
    if (object === undefined) return answer(response, 404, failure(404, "NotFound"));
    const given = JSON.parse(seen.body) as FakeObject;
    if (given.metadata.resourceVersion !== object.metadata.resourceVersion)
      return answer(response, 409, failure(409, "Conflict"));
    api.put(faultsPath, { ...object, status: given["status"] });
    return answer(response, 200, known(faultsPath, `${key?.[1]}/${key?.[2]}`));
  };
  const evict = (seen: SeenRequest, response: ServerResponse) => {
    const [, ns, name] =
      /namespaces\/([^/]+)\/pods\/([^/]+)\/eviction$/.exec(seen.url.pathname) ?? [];
    if (protectedPods.has(`${ns}/${name}`))
      return answer(response, 429, failure(429, "TooManyRequests"));
    api.remove(podsPath, `${ns}/${name}`);
    return answer(response, 201, { kind: "Status", status: "Success" });
  };
  api.intercept = (seen, response) => {
    const { pathname } = seen.url;
    if (seen.method === "PATCH" && pathname.startsWith(nodesPath)) return patchNode(seen, response);
    if (seen.method === "PUT" && pathname.endsWith("/status")) return putStatus(seen, response);
    if (seen.method === "POST" && pathname.endsWith("/eviction")) return evict(seen, response);
    return false;
  };
  return {
    api,
    client,
    clock,
    protectedPods,
    fail,
    node: (name = node) => known(nodesPath, name) as unknown as NodeObject,
    fault: (name: string) => known(faultsPath, `${namespace}/${name}`) as unknown as HardwareFault,
    putNode: (more: Partial<NodeObject> = {}) =>
      api.put(nodesPath, {
        ...more,
        metadata: { name: node, ...more.metadata },
        status: { conditions: [{ type: "Ready", status: "True" }], ...more.status },
      }),
    putFault: (fault: HardwareFault) => api.put(faultsPath, fault as unknown as FakeObject),
    /** Changes the status of a fault as somebody else would. */
    setStatus: (name: string, more: Partial<HardwareFaultStatus>) => {
      const object = known(faultsPath, `${namespace}/${name}`);
      if (object === undefined) throw new Error(`there is no fault ${name}`);
      api.put(faultsPath, { ...object, status: { ...(object["status"] as object), ...more } });
    },
  };
}

function answer(response: ServerResponse, code: number, value: unknown): true {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value));
  return true;
}

export type FakeHardware = Awaited<ReturnType<typeof fakeHardware>>;

/** A fault that may be carried out, for a minute from now. */
export function armedFault(
  name: string,
  action: FaultAction,
  { nowMs, ...status }: Partial<HardwareFaultStatus> & { readonly nowMs: number },
): HardwareFault {
  const at = (ms: number) => new Date(nowMs + ms).toISOString();
  return {
    apiVersion: "tessera.dev/v1alpha1",
    kind: "HardwareFault",
    metadata: { name, namespace, creationTimestamp: at(0) },
    spec: {
      run: "run-1",
      requestedBy: "tester",
      namespace: "team",
      action,
      expiresAt: at(600_000),
      leaseSeconds: 60,
    },
    status: {
      state: "armed",
      leaseUntil: at(60_000),
      undo: [],
      history: [{ at: at(0), state: "armed", by: "fault-api" }],
      ...status,
    },
  };
}

/** An XID fault with one line, on the GPU at an address. */
export function xidAction(
  correlationId: string,
  more: Partial<Extract<FaultAction, { kind: "xid" }>> = {},
): FaultAction {
  return {
    kind: "xid",
    node,
    gpu: { pci: "0000:3b:00" },
    lines: [{ xid: 79 }],
    correlationId,
    ...more,
  };
}

export function cudaAction(scope: string, more: object = {}): FaultAction {
  return { kind: "cuda", node, scope, fault: { xid: 79, ...more } };
}

/** RFC 7386. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Json = { ...(target as Json | undefined) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** What a strategic patch does with conditions: they are known by their type. */
function withConditions(object: FakeObject, patch: Json): FakeObject {
  type Condition = { readonly type: string };
  const status = object["status"] as { conditions?: Condition[] } | undefined;
  const given = (patch["status"] as { conditions?: Condition[] }).conditions ?? [];
  const byType = new Map((status?.conditions ?? []).map((each) => [each.type, each]));
  for (const each of given) byType.set(each.type, { ...byType.get(each.type), ...each });
  return { ...object, status: { ...status, conditions: [...byType.values()] } };
}
